import { describeDirective } from '../core/catalog/describe.ts';
import { DIRECTIVES, type DirectiveName, type DirectiveRow } from '../core/catalog/directives.ts';
import { shiftSpan, touchesOffset } from '../core/text/span.ts';
import type { Completion, CompletionContext, Hover } from './support.ts';

/** A container line without its line end, and its offset in the document. */
export interface ContainerLine {
  readonly text: string;
  readonly start: number;
}

/** Directives are searched in this many characters of a line only. */
const LONGEST_HEAD = 200;
const ROWS: readonly (DirectiveRow & { readonly name: DirectiveName })[] = DIRECTIVES;

/**
 * Completions in a container line: directives after `# @`, agent names (those of the client first, then
 * others in the file) and the session names of the file.
 */
export function completeDirective(
  line: ContainerLine,
  offset: number,
  context: CompletionContext,
  inUse: (directive: DirectiveName) => readonly string[],
): readonly Completion[] {
  const at = Math.min(offset - line.start, line.text.length);
  const before = line.text.slice(0, at);
  const name = at <= LONGEST_HEAD ? /^\s*(?:#|\/\/)\s*(@[a-z]*)$/.exec(before)?.[1] : undefined;
  if (name !== undefined) return listDirectives(line, at, name);
  const head = /^\s*(?:#|\/\/)\s*@([a-z]+)[ \t]+/.exec(line.text.slice(0, LONGEST_HEAD));
  const row = ROWS.find(candidate => candidate.name === head?.[1]);
  if (!head || !row || at < head[0].length) return [];
  const end = Math.max(head[0].length, line.text.trimEnd().length);
  if (at > end) return [];
  const span = shiftSpan({ start: head[0].length, end }, line.start);
  if (row.name !== 'agent' && row.name !== 'default' && row.name !== 'session') return [];
  const known = row.name === 'session' ? [] : (context.agents ?? []);
  const names = new Set([...known, ...inUse(row.name === 'session' ? 'session' : 'agent')]);
  return [...names].map((value, rank) => ({
    label: value,
    kind: 'value',
    detail: row.value,
    span,
    newText: value,
    isSnippet: false,
    rank,
  }));
}

function listDirectives(line: ContainerLine, at: number, typed: string): readonly Completion[] {
  const rest = /^[a-z]*/.exec(line.text.slice(at, at + LONGEST_HEAD))?.[0] ?? '';
  const isInJson = line.text.trimStart().startsWith('//');
  return ROWS.filter(row => isInJson || !row.isForJson).map((row, rank) => ({
    label: `@${row.name}`,
    kind: 'field',
    detail: row.value,
    topic: `directive ${row.name}`,
    span: shiftSpan({ start: at - typed.length, end: at + rest.length }, line.start),
    newText: `@${row.name} `,
    isSnippet: false,
    rank,
  }));
}

/** Hover text for the directive of a container line, shown on its name. */
export function hoverDirective(line: ContainerLine, offset: number): Hover | undefined {
  const found = /^(\s*(?:#|\/\/)\s*)(@([a-z]+))(?=\s|$)/.exec(line.text.slice(0, LONGEST_HEAD));
  const row = ROWS.find(candidate => candidate.name === found?.[3]);
  if (!found || !row) return undefined;
  const start = line.start + (found[1]?.length ?? 0);
  const span = { start, end: line.start + found[0].length };
  return touchesOffset(span, offset) ? { span, markdown: describeDirective(row) } : undefined;
}

/** The documentation of a directive, by its name. */
export function describeDirectiveName(name: string): string | undefined {
  const row = ROWS.find(candidate => candidate.name === name);
  return row && describeDirective(row);
}
