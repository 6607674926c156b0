import type { CallEvent, TraceEvent } from '../../core/events/events.ts';
import { printTraceEvent } from '../../trace/file.ts';

/** The start of the first call in milliseconds since 1970. */
const START = 1_760_000_000_000;

/** The number of events of a call, including its first one. */
export const EVENTS_OF_CALL = 8;

/** The shape of the generated calls. */
export interface CallShape {
  /**
   * The number of calls of a trace. Each tenth call is the parent of the nine after it, and the first one is
   * the parent of those tenth calls.
   */
  readonly perTrace: number;
  /** The number of characters in each piece of a reply. */
  readonly piece: number;
  /** The number of the first call. */
  readonly first: number;
}

const SHAPE: CallShape = { perTrace: 100, piece: 60, first: 0 };

/**
 * Generates finished calls as a proxy observes them over HTTP, ordered by time, among twelve agents. Each one
 * has heads, a request and a reply in three pieces.
 */
export function* listCallEvents(count: number, shape: Partial<CallShape> = {}): Generator<TraceEvent, void> {
  const { first, ...rest } = { ...SHAPE, ...shape };
  for (let number = first; number < first + count; number++) yield* eventsOfCall(number, rest);
}

/** The same calls as lines of a trace file. */
export function* listCallLines(count: number, shape: Partial<CallShape> = {}): Generator<string, void> {
  for (const event of listCallEvents(count, shape)) yield printTraceEvent(event);
}

function* eventsOfCall(
  number: number,
  { perTrace, piece }: Omit<CallShape, 'first'>,
): Generator<TraceEvent, void> {
  const begun = beginCall(number, perTrace);
  const { call, at } = begun;
  const common = (seq: number, after: number): { call: string; at: number; seq: number } => ({
    call,
    at: at + after,
    seq,
  });
  yield begun;
  const type = { name: 'content-type', value: 'application/json' };
  const line = 'POST http://127.0.0.1:65001/mcp';
  yield { type: 'head', ...common(1, 0.1), direction: 'out', line, headers: [type] };
  const asked = `{"jsonrpc":"2.0","id":${number},"method":"tools/call","params":{"name":"tool${number % 40}"}}`;
  yield { type: 'wire', ...common(2, 0.2), direction: 'out', bytes: { text: asked } };
  const stream = { name: 'content-type', value: 'text/event-stream' };
  yield { type: 'head', ...common(3, 3), direction: 'in', line: '200 OK', headers: [stream] };
  for (let part = 0; part < 3; part++) {
    const text = `data: {"part":${part},"text":"${'x'.repeat(piece)}"}\n\n`;
    yield { type: 'wire', ...common(4 + part, 4 + part), direction: 'in', bytes: { text } };
  }
  yield { type: 'end', ...common(7, 8), status: 'ok', usage: { input: 120, output: 40 } };
}

function beginCall(number: number, perTrace: number): CallEvent {
  const place = number % perTrace;
  const caller = number - (place % 10 === 0 ? place : place % 10);
  const trace = hex(Math.floor(number / perTrace), 32);
  const parent = place === 0 ? undefined : hex(caller, 16);
  return {
    type: 'call',
    call: hex(number, 16),
    trace,
    ...(parent === undefined ? {} : { parent }),
    at: START + number * 0.4,
    agent: `agent-${number % 12}`,
    protocol: 'mcp',
    title: `tools/call tool${number % 40}`,
    names: [
      ...(parent === undefined ? [] : [{ scheme: 'w3c', trace, parent } as const]),
      { scheme: 'openstarry', trace, depth: place === 0 ? 0 : place % 10 === 0 ? 1 : 2 },
    ],
    session: `session-${number % 1000}`,
    seen: 'between',
  };
}

function hex(number: number, digits: number): string {
  return (number + 1).toString(16).padStart(digits, '0');
}
