import { fieldSource, fieldText, findFieldSpan } from '../../aicf/ast.ts';
import type { Call } from '../../aicf/call.ts';
import { decodeField, encodeField } from '../../aicf/codec.ts';
import { looksLikeJson } from '../../aicf/json-field.ts';
import type { AicfTypeName } from '../../../core/catalog/aicf.ts';
import {
  showSignature,
  showSource,
  type ArgumentDeclaration,
  type ToolDeclaration,
  type ToolTable,
} from '../../tools.ts';
import type { Fix } from '../../../core/text/issue.ts';
import type { Span } from '../../../core/text/span.ts';
import { holdsVariable } from '../../variables.ts';
import { quote } from '../../../core/text/quote.ts';
import {
  buildFix,
  buildInsertions,
  countNoun,
  draftLineIssue,
  type AicfRule,
  type IssueWords,
  type LineView,
  type RuleContext,
} from './report.ts';

/** A call must name a listed tool, if a line lists the agent's tools (404). */
export const checkUnknownTool: AicfRule = ({ report }) => ({
  visit(line) {
    const { text, tree, tools } = line;
    if (!tools.isComplete || (tree.command !== 'CALL' && tree.command !== 'INFO')) return;
    const name = fieldText(text, tree, 0);
    const span = findFieldSpan(tree, 0);
    if (!span || name.trim() === '' || tools.tools.has(name)) return;
    report(
      draftLineIssue('aicf/unknown-tool', line, span, names =>
        describeUnknownTool(line, span, name, names.tool(name, tools)),
      ),
    );
  },
});

function describeUnknownTool(
  line: LineView,
  span: Span,
  name: string,
  similar: string | undefined,
): IssueWords {
  const { agent, live } = line.tools;
  const [who, unlike] = live
    ? [`Agent ${quote(live.agent)}`, 'call one of its tools, or refresh it in the Agents view']
    : agent === ''
      ? ['The file', "its 'TOOLS' line has no such tool"]
      : [`Agent ${quote(agent)}`, "the 'TOOLS' lines of its replies have no such tool"];
  const advice = similar === undefined ? unlike : `did you mean ${quote(similar)}?`;
  return {
    message: `${who} lists no tool ${quote(name)}${live ? `, as it reported ${live.when}` : ''}; ${advice}`,
    fixes: similar === undefined ? [] : [buildFix(`Write ${similar}`, line, span, encodeField(similar))],
  };
}

/** The arguments of a call must fit the declaration of the tool (422). */
export const checkArguments: AicfRule = context => {
  const signatures = new Map<ToolDeclaration, Signature>();
  return {
    visit(line) {
      const { call } = line;
      if (!call?.tool) return;
      // If a raw pipe split JSON, the fields after it are shifted, so only that fault is reported.
      for (const { firstField, lastField } of call.json.values()) if (lastField > firstField) return;
      let signature = signatures.get(call.tool);
      if (!signature) signatures.set(call.tool, (signature = readSignature(call.tool, line.tools)));
      checkCount(context, line, call, signature);
      checkTypes(context, line, call, call.tool);
    },
  };
};

/**
 * The declaration against which all calls of a tool are checked; prepared once, because calls and arguments
 * may be many.
 */
interface Signature {
  /** The signature as shown in messages. */
  readonly shown: string;
  /** The end of a sentence that names the source. */
  readonly source: string;
  /** True if the declaration states which arguments are required. */
  readonly statesRequired: boolean;
  readonly count: number;
  /** The type of the last argument; undefined for a tool without arguments. */
  readonly lastType: AicfTypeName | undefined;
  /** The arguments without `?`, each with its index. */
  readonly required: readonly (readonly [number, ArgumentDeclaration])[];
}

function readSignature(tool: ToolDeclaration, table: ToolTable): Signature {
  const required = [...tool.arguments.entries()].filter(([, argument]) => !argument.isOptional);
  const { length: count } = tool.arguments;
  return {
    shown: quote(showSignature(tool)),
    source: showSource(table),
    // A line without optional marks does not state which arguments are required; a schema does.
    statesRequired: tool.schema !== undefined || required.length < count,
    count,
    lastType: tool.arguments.at(-1)?.type,
    required,
  };
}

function checkCount({ report }: RuleContext, line: LineView, call: Call, signature: Signature): void {
  const { tree } = line;
  const { count, required, shown, source } = signature;
  const given = Math.max(0, call.argumentsEnd - 1);
  if (given > count && !givesByName(line, call)) {
    const span = {
      start: tree.pipes[count + 1] ?? tree.end,
      end: tree.pipes[call.argumentsEnd] ?? tree.end,
    };
    const words = (): IssueWords => describeExtra(line, span, given, signature);
    report(draftLineIssue('aicf/extra-arguments', line, span, words));
    return;
  }
  const nameSpan = findFieldSpan(tree, 0) ?? tree.word;
  const missing = listMissing(line, given, required);
  if (missing.length === 0) return;
  if (!signature.statesRequired) {
    report(
      draftLineIssue('aicf/fewer-arguments', line, nameSpan, () => ({
        message: `The call leaves out ${quote(missing.join(', '))} of ${shown}${source}; give what the tool needs`,
      })),
    );
    return;
  }
  report(
    draftLineIssue('aicf/missing-argument', line, nameSpan, () => ({
      message: `The call lacks ${quote(missing.join(', '))}; ${shown} requires what has no '?'${source}`,
    })),
  );
}

/** True for one object that has the arguments of a tool whose schema allows any. */
function givesByName({ text, tree }: LineView, { tool, argumentsEnd }: Call): boolean {
  const isOpen = tool?.schema?.isOpen === true && tool.arguments.length === 0;
  return isOpen && argumentsEnd === 2 && FITS.object(decodeField(fieldSource(text, tree, 1), 'request'));
}

/** Maximum number of pipes that a fix escapes. */
const MAX_ESCAPED = 1_000;

/** Describes extra arguments: they must be removed, or belong to the last argument if that takes any text. */
function describeExtra(line: LineView, span: Span, given: number, signature: Signature): IssueWords {
  const { shown, source, count, lastType } = signature;
  const fixes = [buildFix('Remove the arguments', line, span, '')];
  if ((lastType === 'string' || lastType === 'any') && given - count <= MAX_ESCAPED) {
    const pipes = line.tree.pipes.slice(count + 1, given + 1);
    fixes.push(buildInsertions("Write '\\|'", line, pipes, { newText: '\\', safe: false }));
  }
  const advice = "remove the others or write '\\|' for a pipe";
  return {
    message: `The call has ${countNoun(given, 'argument')}, and ${shown} takes ${count}${source}; ${advice}`,
    fixes,
  };
}

/** Maximum number of names collected; with commas they exceed what a message shows. */
const MAX_NAMES = 50;

function listMissing(line: LineView, given: number, required: Signature['required']): readonly string[] {
  const names: string[] = [];
  for (const [index, { name, type }] of required) {
    if (index < given && !isAbsent(fieldSource(line.text, line.tree, index + 1), type)) continue;
    names.push(name);
    if (names.length === MAX_NAMES) break;
  }
  return names;
}

/** True for an empty field, except for the types string and any, where it is the empty string. */
function isAbsent(raw: string, type: AicfTypeName): boolean {
  return raw === '' && type !== 'string' && type !== 'any';
}

function checkTypes({ report }: RuleContext, line: LineView, call: Call, tool: ToolDeclaration): void {
  for (const [index, argument] of tool.arguments.entries()) {
    const field = index + 1;
    if (field >= call.argumentsEnd) return;
    const raw = fieldSource(line.text, line.tree, field);
    const span = findFieldSpan(line.tree, field);
    if (!span || isAbsent(raw, argument.type) || call.json.get(field)?.state === 'broken') continue;
    const text = decodeField(raw, 'request');
    if (FITS[argument.type](text) || holdsVariable(text)) continue;
    report(
      draftLineIssue('aicf/argument-type', line, span, () => ({
        message: `${quote(raw)} is not of type '${argument.type}', which ${quote(argument.name)} has; write one that is`,
        fixes: mendValue(line, span, text, argument.type),
      })),
    );
  }
}

/** Converts a value to its type if only blanks, quotes, capitals or a zero fraction are wrong. */
function mendValue(line: LineView, span: Span, text: string, type: AicfTypeName): readonly Fix[] {
  if (text.length > LONGEST_VALUE) return [];
  const bare = text.trim().replace(/^(["'])(.*)\1$/, '$2');
  const meant = [bare, bare.toLowerCase(), bare.replace(/\.0*$/, '')].find(value => FITS[type](value));
  return meant ? [buildFix(`Write ${meant}`, line, span, encodeField(meant))] : [];
}

/** Maximum length of numbers and words. */
const LONGEST_VALUE = 100;

const FITS: Readonly<Record<AicfTypeName, (text: string) => boolean>> = {
  string: () => true,
  any: () => true,
  number: text => /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text),
  integer: text => /^[+-]?\d+$/.test(text),
  boolean: text => text === 'true' || text === 'false',
  // Broken JSON has a rule of its own, so the first character determines the kind of value.
  object: text => text.trimStart().startsWith('{'),
  array: text => text.trimStart().startsWith('[') || !looksLikeJson(text),
};
