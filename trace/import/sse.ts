import type { Protocols } from '../../protocols/protocol.ts';
import { recogniseValue } from '../../protocols/recognise/value.ts';
import { readWrittenJson } from '../../language/values/json-reader.ts';
import { dataOf, listSseEvents } from '../../language/values/sse.ts';
import { readFields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import type { TraceEvent, TraceProtocol } from '../../core/events/events.ts';
import { tellOutcome } from '../outcome.ts';
import { ReplyRecogniser } from '../../protocols/recognise/reply.ts';
import type { ImportedTrace } from './imported.ts';

/** So many events are looked at for what speaks. */
const LOOKED_AT = 20;

/**
 * Reads a recorded body of server-sent events: one call whose reply it is, each event a piece. The body tells no times but the
 * one that its first object may name (`created_at`, in seconds).
 */
export function importSse(text: string, protocols: Protocols): ImportedTrace {
  const events = [...listSseEvents(text, () => undefined)];
  const data = events.map(event => dataOf(text, event));
  const protocol = findProtocol(data.slice(0, LOOKED_AT), protocols);
  const at = findTime(data.slice(0, LOOKED_AT)) ?? 0;
  const headers = [{ name: 'content-type', value: 'text/event-stream' }];
  const reader = new ReplyRecogniser(protocols.find(protocol), { status: 200, line: '200 OK', headers });
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
      { type: 'end', call, at, ...tellOutcome(outcome) },
    ],
    notes: ['A recorded body tells neither its request nor when its pieces came'],
  };
}

/** The text in pieces that end where events end; joined they are the text. */
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
    // Seconds that no clock tells may be more than a number holds in milliseconds.
    if (typeof seconds === 'number' && Number.isFinite(seconds * 1000)) return seconds * 1000;
  }
  return undefined;
}
