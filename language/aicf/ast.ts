import { AICF_COMMANDS, type AicfCommandName, type AicfSide } from '../../core/catalog/aicf.ts';
import type { AicfSyntaxCode } from '../../core/catalog/aicf-rules.ts';
import type { Span } from '../../core/text/span.ts';
import { decodeField } from './codec.ts';

/**
 * What a line is. Blank lines, comments and fences are container lines; a blank line may hold a prefix with nothing
 * after it. A command may be unknown; a foreign line begins with no command.
 */
export type LineKind = 'blank' | 'comment' | 'fence' | 'command' | 'foreign';

/** A departure from the grammar, at a place in the line. */
export interface LineFault {
  readonly code: AicfSyntaxCode;
  readonly span: Span;
}

/** The tree of one line. Offsets count from the line's start, so that a line that moved keeps its tree. */
export interface AicfLine {
  readonly kind: LineKind;
  /** `Request:` or `Response:` with the blanks before and after it. */
  readonly prefix: Span | undefined;
  /** The command as written; of other lines the text without the blanks around it. */
  readonly word: Span;
  /** The command; undefined for an unknown one and on lines of other kinds. */
  readonly command: AicfCommandName | undefined;
  /** Where the delimiters before each field stand: packed, because one line may hold millions. */
  readonly pipes: readonly number[];
  /** Where the line ends, without its line end. */
  readonly end: number;
  readonly faults: readonly LineFault[];
}

/** The span of a field, counted from 0 after the command; undefined where the line has no such field. */
export function findFieldSpan(line: AicfLine, index: number): Span | undefined {
  const pipe = line.pipes[index];
  return pipe === undefined ? undefined : { start: pipe + 1, end: line.pipes[index + 1] ?? line.end };
}

/** A field as it is written; the empty text where the line has no such field. */
export function fieldSource(text: string, line: AicfLine, index: number): string {
  const pipe = line.pipes[index];
  return pipe === undefined ? '' : text.slice(pipe + 1, line.pipes[index + 1] ?? line.end);
}

/** The text that a field holds; the empty text where the line has no such field. */
export function fieldText(text: string, line: AicfLine, index: number): string {
  return decodeField(fieldSource(text, line, index), sideOf(line));
}

/** True for lines that are never sent: blank ones, comments and fences. */
export function isContainerLine(line: AicfLine): boolean {
  return line.kind === 'blank' || line.kind === 'comment' || line.kind === 'fence';
}

const REQUESTS: ReadonlySet<AicfCommandName> = new Set(
  AICF_COMMANDS.filter(row => row.direction === 'request').map(row => row.name),
);

/** True for `CALL`, `LIST` and `INFO` lines, and for unknown commands: the document promises new ones. */
export function isRequestLine(line: AicfLine): boolean {
  return line.kind === 'command' && (line.command === undefined || REQUESTS.has(line.command));
}

/** Which escapes a line's fields have. */
export function sideOf(line: AicfLine): AicfSide {
  return isRequestLine(line) ? 'request' : 'response';
}

/** The command as a list of calls names it: an unknown one as it is written. */
export function commandName(text: string, line: AicfLine): string {
  return line.command ?? text.slice(line.word.start, line.word.end);
}
