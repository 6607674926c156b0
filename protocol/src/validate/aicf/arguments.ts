import { fieldSource, fieldText, findFieldSpan } from '../../aicf/ast.ts';
import type { Call } from '../../aicf/call.ts';
import { decodeField, encodeField } from '../../aicf/codec.ts';
import { looksLikeJson } from '../../aicf/json-field.ts';
import { showSignature, type ArgumentDeclaration, type ToolDeclaration } from '../../aicf/tools.ts';
import type { AicfTypeName } from '../../catalog/aicf.ts';
import { quote } from '../../text/quote.ts';
import { findSimilar } from '../../text/similar.ts';
import {
  buildFix,
  buildLineIssue,
  countNoun,
  type AicfRule,
  type LineView,
  type RuleContext,
} from './report.ts';

/** So many names are compared for "did you mean" in one file, so that many unknown tools stay linear work. */
const MOST_COMPARISONS = 20_000;

/** A call names a tool that the file lists, where the file lists tools (404). */
export const checkUnknownTool: AicfRule = ({ tools, report }) => {
  const names = [...tools.tools.keys()];
  let comparisons = 0;
  return {
    visit(line) {
      const { text, tree } = line;
      if (!tools.isComplete || (tree.command !== 'CALL' && tree.command !== 'INFO')) return;
      const name = fieldText(text, tree, 0);
      const span = findFieldSpan(tree, 0);
      if (!span || name.trim() === '' || tools.tools.has(name)) return;
      comparisons += names.length;
      const similar = comparisons > MOST_COMPARISONS ? undefined : findSimilar(name, names);
      const advice =
        similar === undefined ? "its 'TOOLS' line has no such tool" : `did you mean ${quote(similar)}?`;
      const fixes =
        similar === undefined ? [] : [buildFix(`Write ${similar}`, line, span, encodeField(similar))];
      report(
        buildLineIssue(
          'aicf/unknown-tool',
          line,
          span,
          `The file lists no tool ${quote(name)}; ${advice}`,
          fixes,
        ),
      );
    },
  };
};

/** The arguments of a call fit the tool's `TOOL` line in the file (422). */
export const checkArguments: AicfRule = context => {
  const signatures = new Map<ToolDeclaration, Signature>();
  return {
    visit(line) {
      const { call } = line;
      if (!call?.tool) return;
      // Where a raw pipe cut JSON apart, the fields after it stand in the wrong places: that one fault is told alone.
      if ([...call.json.values()].some(finding => finding.lastField > finding.firstField)) return;
      const signature = signatures.get(call.tool) ?? readSignature(call.tool);
      signatures.set(call.tool, signature);
      checkCount(context, line, call, signature);
      checkTypes(context, line, call, call.tool);
    },
  };
};

/** What all calls of a tool are held to, read once for them: they may be many, and its arguments too. */
interface Signature {
  /** As messages show it. */
  readonly shown: string;
  readonly count: number;
  /** The arguments without `?`, each after its index. */
  readonly required: readonly (readonly [number, ArgumentDeclaration])[];
}

function readSignature(tool: ToolDeclaration): Signature {
  const required = [...tool.arguments.entries()].filter(([, argument]) => !argument.isOptional);
  return { shown: quote(showSignature(tool)), count: tool.arguments.length, required };
}

function checkCount({ report }: RuleContext, line: LineView, call: Call, signature: Signature): void {
  const { tree } = line;
  const { shown, count, required } = signature;
  const given = Math.max(0, call.argumentsEnd - 1);
  if (given > count) {
    const span = {
      start: tree.pipes[count + 1] ?? tree.end,
      end: tree.pipes[call.argumentsEnd] ?? tree.end,
    };
    const message = `The call has ${countNoun(given, 'argument')}, and ${shown} takes ${count}; remove the others or write '\\|' for a pipe`;
    report(buildLineIssue('aicf/extra-arguments', line, span, message));
    return;
  }
  const nameSpan = findFieldSpan(tree, 0) ?? tree.word;
  if (required.length === count) {
    if (given === count) return;
    const message = `The call has ${given} of ${countNoun(count, 'argument')} of ${shown}; give the others if the tool needs them`;
    report(buildLineIssue('aicf/fewer-arguments', line, nameSpan, message));
    return;
  }
  const missing = listMissing(line, given, required);
  if (missing.length === 0) return;
  const message = `The call lacks ${quote(missing.join(', '))}; ${shown} requires what has no '?'`;
  report(buildLineIssue('aicf/missing-argument', line, nameSpan, message));
}

/** A message shows the first names only: with the commas between them so many are always more than it shows. */
const MOST_NAMES = 50;

function listMissing(line: LineView, given: number, required: Signature['required']): readonly string[] {
  const names: string[] = [];
  for (const [index, { name, type }] of required) {
    if (index < given && !isAbsent(fieldSource(line.text, line.tree, index + 1), type)) continue;
    names.push(name);
    if (names.length === MOST_NAMES) break;
  }
  return names;
}

/** An empty field is the empty string for string and any, absent for other types. */
function isAbsent(raw: string, type: AicfTypeName): boolean {
  return raw === '' && type !== 'string' && type !== 'any';
}

function checkTypes({ report }: RuleContext, line: LineView, call: Call, tool: ToolDeclaration): void {
  tool.arguments.slice(0, Math.max(0, call.argumentsEnd - 1)).forEach((argument, index) => {
    const field = index + 1;
    const raw = fieldSource(line.text, line.tree, field);
    const span = findFieldSpan(line.tree, field);
    if (!span || isAbsent(raw, argument.type) || call.json.get(field)?.state === 'broken') return;
    if (FITS[argument.type](decodeField(raw))) return;
    const message = `${quote(raw)} is not of type '${argument.type}', which ${quote(argument.name)} has; see the tool's 'TOOL' line`;
    report(buildLineIssue('aicf/argument-type', line, span, message));
  });
}

const FITS: Readonly<Record<AicfTypeName, (text: string) => boolean>> = {
  string: () => true,
  any: () => true,
  number: text => /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text),
  integer: text => /^[+-]?\d+$/.test(text),
  boolean: text => text === 'true' || text === 'false',
  // JSON that is broken is told by its own rule, so the first character says which kind of value it is.
  object: text => text.trimStart().startsWith('{'),
  array: text => text.startsWith('[') || !looksLikeJson(text),
};
