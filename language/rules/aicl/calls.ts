import { contentSpan, textOf, type AiclNode, type DictNode, type PairNode } from '../../aicl/ast.ts';
import { fitsArgument, kindsOf, listCalls, neededArguments, statesRequired } from '../../aicl/call-tools.ts';
import type { AiclDocument } from '../../aicl/document.ts';
import { escapeText } from '../../aicl/escapes.ts';
import { KnownFields } from '../../aicl/known-fields.ts';
import { readUnit } from '../../aicl/parse.ts';
import { pairsOf } from '../../aicl/summary.ts';
import type { Unit, UnitContent } from '../../aicl/unit.ts';
import type { AiclRuleCode } from '../../../core/catalog/aicl-rules.ts';
import { tagOf } from '../../aicl/features/call-snippet.ts';
import {
  showSignature,
  showSource,
  type ArgumentDeclaration,
  type ToolDeclaration,
  type ToolTable,
} from '../../tools.ts';
import { replaceFix } from '../../fix.ts';
import type { Fix, Issue } from '../../../core/text/issue.ts';
import { quote } from '../../../core/text/quote.ts';
import { findSimilar } from '../../../core/text/similar.ts';
import { moveIssue } from '../move-issue.ts';
import { UnitReport, widenAtom } from './report.ts';

/** Maximum number of an agent's tools with which a misspelt name is compared. */
const MAX_TOOLS = 500;
/** Maximum number of names in a message. */
const MAX_NAMES = 50;

type CallIssue = Issue<AiclRuleCode>;

interface Found {
  readonly table: ToolTable;
  readonly issues: readonly CallIssue[];
}

/** Cached issues of messages, valid while the agent's tool table is the same. */
const FOUND = new WeakMap<UnitContent, Found>();

/**
 * Checks calls against the tools that their agents reported (codes 3001 and 2001); no issues for agents
 * without a report. A message is read again if it or the table has changed.
 */
export function checkCalls(doc: AiclDocument): readonly CallIssue[] {
  const issues: CallIssue[] = [];
  for (const { unit, content, table } of listCalls(doc)) {
    const known = FOUND.get(content);
    const found = known?.table === table ? known : { table, issues: checkCall(doc, unit, table) };
    FOUND.set(content, found);
    for (const issue of found.issues) issues.push(moveIssue(issue, unit.start));
  }
  return issues;
}

function checkCall(doc: AiclDocument, unit: Unit, table: ToolTable): readonly CallIssue[] {
  const reading = readUnit(doc, unit);
  const report = new UnitReport(reading, doc.settings);
  const fields = new KnownFields(reading.text, reading.base, pairsOf(reading));
  const tool = fields.get('tool')?.value;
  if (tool?.kind !== 'text') return [];
  const name = textOf(reading.text, reading.base, tool);
  if (!table.tools.has(name)) {
    if (table.isComplete && name.trim() !== '') reportUnknown(report, tool, name, table);
    return report.issues;
  }
  const declared = table.tools.get(name);
  const params = fields.get('params')?.value;
  if (declared && params?.kind === 'dict') checkParams(report, params, { tool: declared, table, at: tool });
  return report.issues;
}

type TextNode = Extract<AiclNode, { contentEnd: number }>;

function reportUnknown(report: UnitReport, at: TextNode, name: string, table: ToolTable): void {
  const { live } = table;
  const similar = findSimilar(name, [...table.tools.keys()].slice(0, MAX_TOOLS));
  const who = live ? `Agent ${quote(live.agent)} lists` : 'Its agent lists';
  const when = live ? `, as it reported ${live.when}` : '';
  const advice =
    similar === undefined
      ? 'call one of its tools, or refresh it in the Agents view'
      : `did you mean ${quote(similar)}?`;
  const fixes =
    similar === undefined
      ? []
      : [replaceFix(`Write ${similar}`, contentSpan(at), escapeText(similar), { safe: false })];
  report.add('aicl/unknown-tool', widenAtom(at), `${who} no tool ${quote(name)}${when}; ${advice}`, fixes);
}

/** A call of a declared tool. */
interface DeclaredCall {
  readonly tool: ToolDeclaration;
  readonly table: ToolTable;
  /** The value that names the tool. */
  readonly at: TextNode;
}

function checkParams(report: UnitReport, params: DictNode, call: DeclaredCall): void {
  const { text, base } = report.reading;
  const { tool, table, at } = call;
  const named = new Map(tool.arguments.map(argument => [argument.name, argument]));
  const shown = quote(showSignature(tool));
  const given = new Set<string>();
  for (const pair of params.pairs) {
    const key = textOf(text, base, pair.key);
    given.add(key);
    const argument = named.get(key);
    if (!argument) reportExtra(report, pair, key, { ...call, shown });
    else if (pair.value && !fitsArgument(argument, pair.value))
      reportType(report, pair.value, argument, showSource(table));
  }
  if (!statesRequired(tool)) return;
  const missing = neededArguments(tool).filter(({ name }) => !given.has(name));
  if (missing.length === 0) return;
  const names = missing.slice(0, MAX_NAMES).map(({ name }) => name);
  const message = `The call lacks ${quote(names.join(', '))}; ${shown} requires what has no '?'${showSource(table)}`;
  report.add('aicl/missing-param', widenAtom(at), message);
}

function reportExtra(
  report: UnitReport,
  { key }: PairNode,
  name: string,
  { tool, table, shown }: DeclaredCall & { readonly shown: string },
): void {
  if (tool.schema?.isOpen) return;
  const similar = findSimilar(
    name,
    tool.arguments.map(argument => argument.name),
  );
  const advice = similar === undefined ? 'remove it or rename it' : `did you mean ${quote(similar)}?`;
  const fixes: readonly Fix[] =
    similar === undefined
      ? []
      : [replaceFix(`Write ${similar}`, contentSpan(key), escapeText(similar), { safe: false })];
  const message = `${quote(name)} is not an argument of ${shown}${showSource(table)}; ${advice}`;
  report.add('aicl/unknown-param', widenAtom(key), message, fixes);
}

function reportType(
  report: UnitReport,
  value: AiclNode,
  argument: ArgumentDeclaration,
  source: string,
): void {
  const kinds = kindsOf(argument)
    .map(kind => `[${tagOf(kind)}:…]`)
    .join(' or ');
  const message = `${quote(argument.name)} is of type '${argument.type}'${source}; write ${kinds}`;
  const span = 'contentEnd' in value ? widenAtom(value) : { start: value.start, end: value.start + HEAD };
  report.add('aicl/param-type', span, message, mendType(report, value, argument));
}

/** The length of `[d:` and `[l:`. */
const HEAD = 3;

/** A fix that changes the type letter, if the content is valid for the required type. */
function mendType(report: UnitReport, value: AiclNode, argument: ArgumentDeclaration): readonly Fix[] {
  if (!('contentEnd' in value) || value.kind === 'tensor') return [];
  const source = report.source(value);
  const kind = kindsOf(argument).find(wanted => wanted in LITERALS && LITERALS[wanted]?.test(source));
  if (!kind) return [];
  const newText = `[${tagOf(kind)}:${source}]`;
  return [replaceFix(`Write ${newText}`, value, newText, { safe: false })];
}

const LITERALS: Partial<Readonly<Record<string, RegExp>>> = {
  text: /^[^\][\\]{1,100}$/,
  int: /^[+-]?\d{1,15}$/,
  float: /^[+-]?\d{1,15}\.\d{1,15}$/,
  bool: /^(?:true|false)$/,
};
