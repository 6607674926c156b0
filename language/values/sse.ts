import type { Value } from '../../core/values/value.ts';
import type { Span } from '../../core/text/span.ts';
import type { Report } from '../../core/message/report.ts';
import { printJson } from './json-printer.ts';
import type { TextSink } from './text-layer.ts';

/** An event of a stream of server-sent events (WHATWG HTML 9.2.6) that has data. */
export interface SseEvent {
  /** From its first line to the end of its last. */
  readonly span: Span;
  /** Where the data of each line stand; they belong together with a line end between. */
  readonly data: readonly Span[];
}

const FIELD_LINE = /^(?:data|event|id|retry)(?::|$)/;
/** No name of a field is longer, with its colon. */
const LONGEST_FIELD = 6;
const DATA = 'data';
const BOM = 0xfeff;
const COLON = 58;
const SPACE = 32;

/** True for a text whose first line that is no comment is a field of an event. */
export function isSse(text: string): boolean {
  // Most texts are no stream, and may be one long line.
  if (!/^\uFEFF?[deir:\s]/.test(text)) return false;
  for (const { start, end } of listLines(text)) {
    if (start === end || isBlankLine(text, start, end)) continue;
    if (FIELD_LINE.test(text.slice(start, Math.min(end, start + LONGEST_FIELD)))) return true;
    if (text.charCodeAt(start) !== COLON) return false;
  }
  return false;
}

/**
 * The events of a body. The last one counts although no empty line follows, which a stream that was cut lacks. Lines
 * that are no field of an event are told to `other`.
 */
export function* listSseEvents(text: string, other: (line: Span) => void): Generator<SseEvent, void> {
  let span: Span | undefined;
  let data: Span[] = [];
  for (const line of listLines(text)) {
    const { start, end } = line;
    if (start === end) {
      if (span && data.length > 0) yield { span, data };
      [span, data] = [undefined, []];
      continue;
    }
    const field = text.slice(start, Math.min(end, start + LONGEST_FIELD));
    if (FIELD_LINE.test(field)) span = { start: span?.start ?? start, end };
    else if (!field.startsWith(':') && !isBlankLine(text, start, end)) other(line);
    if (field.startsWith('data:') || (field === DATA && end - start === DATA.length))
      data.push({ start: dataStart(text, start, end), end });
  }
  if (span && data.length > 0) yield { span, data };
}

/** The data of each event of a body. */
export function listSseData(text: string): readonly string[] {
  return [...listSseEvents(text, () => undefined)].map(event => dataOf(text, event));
}

/** What an event of a text says. */
export function dataOf(text: string, { data }: SseEvent): string {
  return data.map(({ start, end }) => text.slice(start, end)).join('\n');
}

/** Where the data of a line begin: behind the colon, and one blank. */
function dataStart(text: string, start: number, end: number): number {
  const at = start + DATA.length + 1;
  return Math.min(end, text.charCodeAt(at) === SPACE ? at + 1 : at);
}

/** The lines of a text, which LF, CRLF and CR end; a BOM at its start is none of the first. */
function* listLines(text: string): Generator<Span, void> {
  let start = text.charCodeAt(0) === BOM ? 1 : 0;
  while (start < text.length) {
    const end = lineEnd(text, start);
    yield { start, end };
    start = text.startsWith('\r\n', end) ? end + 2 : end + 1;
  }
}

/** Where the line ends that an offset stands in, without what ends it. */
export function lineEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 13) return at;
  }
  return text.length;
}

function isBlankLine(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++)
    if (text.charCodeAt(at) !== SPACE && text.charCodeAt(at) !== 9) return false;
  return true;
}

/** Writes an event whose data are a value; JSON without line ends takes one line of data. */
export function writeSseEvent(sink: TextSink, value: Value, report?: Report): void {
  sink.write('data: ');
  printJson(value, sink, 'compact', 0, report);
  sink.write('\n\n');
}
