import { AICF_COMMANDS, type AicfCommandName, type AicfSide } from '../../core/catalog/aicf.ts';
import type { AicfSyntaxCode } from '../../core/catalog/aicf-rules.ts';
import type { Span } from '../../core/text/span.ts';
import { decodeField } from './codec.ts';

/**
 * The kind of a line. Blank lines, comments and fences are container lines; a blank line may contain a prefix
 * only. A command may be unknown; a foreign line does not start with a command.
 */
export type LineKind = 'blank' | 'comment' | 'fence' | 'command' | 'foreign';

/** A violation of the grammar, with its span in the line. */
export interface LineFault {
  readonly code: AicfSyntaxCode;
  readonly span: Span;
}

/** The tree of one line. Offsets count from the line's start, so that a line that moved can reuse its tree. */
export interface AicfLine {
  readonly kind: LineKind;
  /** `Request:` or `Response:` with the surrounding blanks. */
  readonly prefix: Span | undefined;
  /** The command as written; on other lines the trimmed text. */
  readonly word: Span;
  /** The command; undefined if it is unknown or the line is of another kind. */
  readonly command: AicfCommandName | undefined;
  /** Offsets of the delimiters before each field; packed, because one line may hold millions. */
  readonly pipes: readonly number[];
  /** The offset of the line's end, without the line break. */
  readonly end: number;
  readonly faults: readonly LineFault[];
}

/** The span of a field; fields count from 0 after the command. Undefined if the line has no such field. */
export function findFieldSpan(line: AicfLine, index: number): Span | undefined {
  const pipe = line.pipes[index];
  return pipe === undefined ? undefined : { start: pipe + 1, end: line.pipes[index + 1] ?? line.end };
}

/** The raw text of a field; empty if the line has no such field. */
export function fieldSource(text: string, line: AicfLine, index: number): string {
  const pipe = line.pipes[index];
  return pipe === undefined ? '' : text.slice(pipe + 1, line.pipes[index + 1] ?? line.end);
}

/** The decoded text of a field; empty if the line has no such field. */
export function fieldText(text: string, line: AicfLine, index: number): string {
  return decodeField(fieldSource(text, line, index), sideOf(line));
}

/** True for lines that are never sent: blank lines, comments and fences. */
export function isContainerLine(line: AicfLine): boolean {
  return line.kind === 'blank' || line.kind === 'comment' || line.kind === 'fence';
}

const REQUESTS: ReadonlySet<AicfCommandName> = new Set(
  AICF_COMMANDS.filter(row => row.direction === 'request').map(row => row.name),
);

/** True for `CALL`, `LIST` and `INFO` lines, and for unknown commands, because the document announces new ones. */
export function isRequestLine(line: AicfLine): boolean {
  return line.kind === 'command' && (line.command === undefined || REQUESTS.has(line.command));
}

/** The side whose escapes apply to a line's fields. */
export function sideOf(line: AicfLine): AicfSide {
  return isRequestLine(line) ? 'request' : 'response';
}

/** The command name shown in lists of calls; an unknown command is shown as written. */
export function commandName(text: string, line: AicfLine): string {
  return line.command ?? text.slice(line.word.start, line.word.end);
}

const CREDENTIAL = /^AUTH:\s*\S/;

/** The index of the last field of a request if it is a credential, `AUTH:token`; otherwise undefined. */
export function findCredential(text: string, line: AicfLine): number | undefined {
  const last = line.pipes.length - 1;
  // If the command takes a tool name first, a single field is that name and not a credential.
  const first = line.command === 'LIST' || line.command === undefined ? 0 : 1;
  const pipe = line.pipes[last];
  if (pipe === undefined || last < first || !text.startsWith('AUTH:', pipe + 1)) return undefined;
  return CREDENTIAL.test(fieldSource(text, line, last)) ? last : undefined;
}
