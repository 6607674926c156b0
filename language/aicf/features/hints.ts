import { MOST_HINTS, type TextHint } from '../../hints.ts';
import type { ArgumentDeclaration, ToolDeclaration } from '../../tools.ts';
import type { Span } from '../../../core/text/span.ts';
import { fieldSource, fieldText } from '../ast.ts';
import { findCredential } from '../call.ts';
import { collectTools, lookUp } from '../file-tools.ts';
import type { PlacedLine } from '../lines.ts';
import { readLine, type AicfDocument } from '../parse.ts';

/** So many lines of a span are looked at: no window shows more. */
const MOST_LINES = 10_000;
/** An editor shows no more of a line than this. */
const LONGEST_LINE = 20_000;
/** A command stands within so many characters, behind blanks and a prefix. */
const LONGEST_COMMAND = 100;
const FIRST_ARGUMENT = 1;

type ReadLine = Pick<PlacedLine, 'start' | 'text' | 'tree'>;

/**
 * The names of a call's arguments, before each, where its agent's lines declare the tool (AICF-RPC 1.0, "INFO"). A tool that is
 * only named, arguments past the last declared one, and a credential have none: nothing is guessed. An argument whose
 * text begins with its name needs no hint.
 */
export function hints(doc: AicfDocument, span: Span): readonly TextHint[] {
  const found: TextHint[] = [];
  if (doc.dialect === 'context') return found;
  const first = doc.text.lineAt(span.start);
  const last = Math.min(doc.text.lineAt(span.end), first + MOST_LINES);
  let known: ReturnType<typeof collectTools> | undefined;
  for (let number = first; number <= last && found.length < MOST_HINTS; number++) {
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

/** A line, or the beginning of one that is too long to be shown. */
function lineBeginning(doc: AicfDocument, number: number): { readonly start: number; readonly text: string } {
  const start = doc.text.lineStart(number);
  const text = doc.text.slice(start, Math.min(doc.text.lineEnd(number), start + LONGEST_LINE));
  return text.startsWith('\ufeff') && start === 0 ? { start: 1, text: text.slice(1) } : { start, text };
}

function addHints(found: TextHint[], line: ReadLine, tool: ToolDeclaration, span: Span): void {
  const { text, tree, start } = line;
  const credential = findCredential(text, tree);
  const fields = Math.min(tree.pipes.length, FIRST_ARGUMENT + tool.arguments.length);
  for (let field = FIRST_ARGUMENT; field < fields && found.length < MOST_HINTS; field++) {
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

/** True for `name: value` and `name=value`, as people write who do not trust the order. */
function beginsWithName(source: string, name: string): boolean {
  return source.startsWith(name) && /^\s*[:=]/.test(source.slice(name.length, name.length + 10));
}
