import { MAX_HINTS, type TextHint } from '../../feature-results.ts';
import type { ArgumentDeclaration, ToolDeclaration } from '../../tools.ts';
import type { Span } from '../../../core/text/span.ts';
import { fieldSource, fieldText, findCredential } from '../ast.ts';
import { collectTools, lookUp } from '../file-tools.ts';
import { type PlacedLine, readLine, type AicfDocument } from '../parse.ts';

/** Maximum number of lines read from a span; no window shows more. */
const MAX_LINES = 10_000;
/** Maximum number of characters read of a line; editors show no more. */
const LONGEST_LINE = 20_000;
/** A command must occur within this many characters, after blanks and a prefix. */
const LONGEST_COMMAND = 100;
const FIRST_ARGUMENT = 1;

type ReadLine = Pick<PlacedLine, 'start' | 'text' | 'tree'>;

/**
 * Shows the argument names of calls, each before its argument, if the agent's lines declare the tool
 * (AICF-RPC 1.0, "INFO"). No hints for tools that are only listed, arguments past the last declared one, and
 * credentials. An argument whose text starts with its name needs no hint.
 */
export function hints(doc: AicfDocument, span: Span): readonly TextHint[] {
  const found: TextHint[] = [];
  if (doc.dialect === 'context') return found;
  const first = doc.text.lineAt(span.start);
  const last = Math.min(doc.text.lineAt(span.end), first + MAX_LINES);
  let known: ReturnType<typeof collectTools> | undefined;
  for (let number = first; number <= last && found.length < MAX_HINTS; number++) {
    const { start, text } = lineBeginning(doc, number);
    if (!text.slice(0, LONGEST_COMMAND).includes('CALL')) continue;
    const tree = readLine(text, doc.work);
    if (tree.command !== 'CALL' || tree.pipes.length <= FIRST_ARGUMENT) continue;
    known ??= collectTools(doc);
    const tool = lookUp(doc, known, number).tools.get(fieldText(text, tree, 0));
    if (tool) addHints(found, { start, text, tree }, tool, span);
  }
  return found;
}

/** A line, cut to the length that editors show. */
function lineBeginning(doc: AicfDocument, number: number): { readonly start: number; readonly text: string } {
  const start = doc.text.lineStart(number);
  const text = doc.text.slice(start, Math.min(doc.text.lineEnd(number), start + LONGEST_LINE));
  return text.startsWith('\ufeff') && start === 0 ? { start: 1, text: text.slice(1) } : { start, text };
}

function addHints(found: TextHint[], line: ReadLine, tool: ToolDeclaration, span: Span): void {
  const { text, tree, start } = line;
  const credential = findCredential(text, tree);
  const fields = Math.min(tree.pipes.length, FIRST_ARGUMENT + tool.arguments.length);
  for (let field = FIRST_ARGUMENT; field < fields && found.length < MAX_HINTS; field++) {
    const argument = tool.arguments[field - FIRST_ARGUMENT];
    const offset = start + (tree.pipes[field] ?? 0) + 1;
    if (!argument || field === credential || offset < span.start || offset > span.end) continue;
    if (!beginsWithName(fieldSource(text, tree, field), argument.name))
      found.push(toHint(argument, offset, tool));
  }
}

function toHint(argument: ArgumentDeclaration, offset: number, tool: ToolDeclaration): TextHint {
  const optional = argument.isOptional ? ', optional' : '';
  const tooltip = `${argument.name}: ${argument.type}${optional}, argument of ${tool.name}`;
  return { offset, label: `${argument.name}:`, tooltip, kind: 'parameter' };
}

/** True for `name: value` and `name=value`, which authors write to be explicit. */
function beginsWithName(source: string, name: string): boolean {
  return source.startsWith(name) && /^\s*[:=]/.test(source.slice(name.length, name.length + 10));
}
