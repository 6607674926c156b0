import type { Protocols } from '../../protocols/protocol.ts';
import { recogniseValue } from '../../protocols/recognise/detect.ts';
import { readWrittenJson } from '../../language/values/json-reader.ts';
import { listSseEvents } from '../../core/text/event-stream.ts';
import { findLineEnd } from '../../core/text/line-splitter.ts';
import type { Span } from '../../core/text/span.ts';
import type { Value } from '../../core/values/value.ts';
import { readFields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import type { TraceEvent, TraceProtocol } from '../../core/events/events.ts';
import { outcomeFields } from '../outcome.ts';
import { ReplyReading } from '../../protocols/recognise/reply.ts';
import type { ImportedTrace } from './imported.ts';

/** The number of events in which the protocol and the time are searched. */
const LOOKED_AT = 20;

/** An event of a recorded reply, and its place in the text. */
interface RecordedEvent {
  readonly data: string;
  readonly span: Span;
}

/** Reads a recorded body of server-sent events as the reply of one call. */
export function importSse(text: string, protocols: Protocols): ImportedTrace {
  return importReply(text, [...listSseEvents(text)], text, protocols);
}

/** Reads the recorded events of a streamed response, one line of JSON for each, as the reply of one call. */
export function importEventLines(text: string, protocols: Protocols): ImportedTrace {
  const lines = listLines(text);
  return importReply(text, lines, lines.map(({ data }) => `data: ${data}\n\n`).join(''), protocols);
}

/** True for a value that is an event of a streamed response of a protocol, as in files with one event in each line. */
export function isResponseEvent(value: Value | undefined, protocols: Protocols): boolean {
  const protocol = value && recogniseValue(protocols, value, undefined);
  if (!value || !protocol?.replies.openFold) return false;
  return protocol.shape?.stream?.recognises(value) === true;
}

/**
 * Reads events, each a piece; `stream` has them as server-sent events. The only time in them is the `created_at` of the
 * first ones, in seconds.
 */
function importReply(
  text: string,
  events: readonly RecordedEvent[],
  stream: string,
  protocols: Protocols,
): ImportedTrace {
  const data = events.slice(0, LOOKED_AT).map(event => event.data);
  const protocol = findProtocol(data, protocols);
  const at = findTime(data) ?? 0;
  const headers = [{ name: 'content-type', value: 'text/event-stream' }];
  const reader = new ReplyReading(protocols.find(protocol), { status: 200, line: '200 OK', headers });
  reader.push(stream);
  const { session, notes, ...outcome } = reader.end();
  const call = 'reply#1';
  const pieces = cutPieces(
    text,
    events.map(({ span }) => span.end),
  );
  return {
    ok: true,
    events: [
      {
        type: 'call',
        call,
        trace: 'reply',
        at,
        agent: 'recorded agent',
        protocol,
        title: 'recorded reply',
        ...(session === undefined ? {} : { session }),
      },
      ...pieces.map((piece): TraceEvent => ({
        type: 'wire',
        call,
        at,
        direction: 'in',
        bytes: { text: piece },
      })),
      ...notes.map(note => ({ type: 'note', call, at, text: note }) as const),
      { type: 'end', call, at, ...outcomeFields(outcome) },
    ],
    notes: ['A recorded body contains neither its request nor the times of its chunks'],
  };
}

/** Cuts the text into pieces after each event; joined they are the text. */
function cutPieces(text: string, ends: readonly number[]): readonly string[] {
  const pieces: string[] = [];
  let from = 0;
  for (const end of ends.slice(0, -1)) {
    pieces.push(text.slice(from, end));
    from = end;
  }
  return [...pieces, text.slice(from)];
}

/** The lines of a text that are not blank. */
function listLines(text: string): readonly RecordedEvent[] {
  const lines: RecordedEvent[] = [];
  for (let start = 0; start < text.length;) {
    const end = findLineEnd(text, start);
    const data = text.slice(start, end).trim();
    if (data !== '') lines.push({ data, span: { start, end: Math.min(end + 1, text.length) } });
    start = end + 1;
  }
  return lines;
}

function findProtocol(data: readonly string[], protocols: Protocols): TraceProtocol {
  for (const each of data) {
    const value = readWrittenJson(each);
    const found = value && recogniseValue(protocols, value, undefined);
    if (found) return found.facts.name;
  }
  return 'other';
}

function findTime(data: readonly string[]): number | undefined {
  for (const each of data) {
    const fields = readFields(parseJson(each));
    const seconds = fields?.get('created_at') ?? readFields(fields?.get('response'))?.get('created_at');
    // Unrealistic seconds may exceed the range of numbers in milliseconds.
    if (typeof seconds === 'number' && Number.isFinite(seconds * 1000)) return seconds * 1000;
  }
  return undefined;
}
