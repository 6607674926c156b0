import type { Protocols } from '../../protocols/protocol.ts';
import { recogniseValue } from '../../protocols/recognise/detect.ts';
import { readWrittenJson } from '../../language/values/json-reader.ts';
import { listSseEvents } from '../../core/text/event-stream.ts';
import { readFields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import type { TraceEvent, TraceProtocol } from '../../core/events/events.ts';
import { outcomeFields } from '../outcome.ts';
import { ReplyReading } from '../../protocols/recognise/reply.ts';
import type { ImportedTrace } from './imported.ts';

/** The number of events in which the protocol and the time are searched. */
const LOOKED_AT = 20;

/**
 * Reads a recorded body of server-sent events as the reply of one call, each event a piece. The only time in
 * it is the `created_at` of its first events, in seconds.
 */
export function importSse(text: string, protocols: Protocols): ImportedTrace {
  const events = [...listSseEvents(text)];
  const data = events.slice(0, LOOKED_AT).map(event => event.data);
  const protocol = findProtocol(data, protocols);
  const at = findTime(data) ?? 0;
  const headers = [{ name: 'content-type', value: 'text/event-stream' }];
  const reader = new ReplyReading(protocols.find(protocol), { status: 200, line: '200 OK', headers });
  reader.push(text);
  const { session, notes, ...outcome } = reader.end();
  const call = 'sse#1';
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
        trace: 'sse',
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
