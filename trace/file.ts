import { moreAre } from '../core/text/count.ts';
import { quote } from '../core/text/quote.ts';
import { readFields } from '../core/text/fields.ts';
import { parseJson } from '../core/text/json.ts';
import { SliceMeter } from '../core/text/slices.ts';
import type { TraceEvent } from '../core/events/events.ts';
import { readTraceEvent } from './guards.ts';

/** The format name in the first line of a trace file (docs/trace-format.md). */
export const TRACE_FORMAT = 'agenttrace';

/** The version that is written, and the newest that can be read. */
export const TRACE_VERSION = 1;

/** The maximum number of notes on omitted lines. */
const MAX_NOTES = 20;

/** The content of a trace file. */
export interface TraceFile {
  readonly events: readonly TraceEvent[];
  /** What was left out, and why. */
  readonly notes: readonly string[];
  /** Why the file cannot be read at all; there are no events then. */
  readonly error?: string;
}

/** The first line of a trace file with its line end; `producer` is the program that writes it, with its version. */
export function printTraceHeader(producer: string): string {
  return `${JSON.stringify({ format: TRACE_FORMAT, version: TRACE_VERSION, producer })}\n`;
}

/** Prints an event as a line with its line end. */
export function printTraceEvent(event: TraceEvent): string {
  return `${JSON.stringify(event)}\n`;
}

/**
 * Reads a trace file. Never throws: another file, or one newer than this program, gives an `error`. A line
 * that is no event is left out with a note, and so is a last line that was only partly written. In slices.
 */
export function* traceFileSteps(text: string): Generator<undefined, TraceFile> {
  const meter = new SliceMeter();
  const start = text.startsWith('\u{feff}') ? 1 : 0;
  const lines = text.slice(start).split('\n');
  const error = checkTraceHeader(lines[0] ?? '');
  if (error !== undefined) return { events: [], notes: [], error };
  const events: TraceEvent[] = [];
  const leftOut: string[] = [];
  let read = 0;
  for (let index = 1; index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (meter.isFull((read += line.length))) yield;
    if (line.trim() === '') continue;
    const event = readTraceEvent(parseJson(line));
    if (event) events.push(event);
    else if (index === lines.length - 1)
      leftOut.push(`The last line is incomplete, because writing it was interrupted; it is left out`);
    else leftOut.push(`Line ${index + 1} is not an event of this format; it is left out: ${quote(line)}`);
  }
  return { events, notes: capNotes(leftOut) };
}

/** Why a line is not the header of a readable trace file; undefined if it is. */
export function checkTraceHeader(line: string): string | undefined {
  const header = readFields(parseJson(line));
  if (header?.get('format') !== TRACE_FORMAT) {
    return `This is not a trace file: its first line should be {"format":"${TRACE_FORMAT}","version":${TRACE_VERSION}} but is ${quote(line)}`;
  }
  const version = header.get('version');
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1) {
    return `The trace file's version should be a number from 1 on; correct its first line`;
  }
  if (version > TRACE_VERSION) {
    return `The trace file has version ${version} and this program reads up to version ${TRACE_VERSION}; update it to open the file`;
  }
  return undefined;
}

function capNotes(notes: readonly string[]): readonly string[] {
  if (notes.length <= MAX_NOTES) return notes;
  return [...notes.slice(0, MAX_NOTES), `${moreAre(notes.length - MAX_NOTES, 'line')} left out`];
}
