import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { knownEnd, parentageOf, stateOf, type CallState } from '../../../trace/fold/call-state.ts';
import type { TraceEvent } from '../../../core/events/events.ts';
import { TraceFold } from '../../../trace/fold/fold.ts';

function stateAfter(id: string, ...events: readonly TraceEvent[]): CallState {
  const fold = new TraceFold();
  for (const event of events) fold.add(event);
  const node = fold.find(id);
  assert.ok(node);
  return stateOf(node);
}

const A: TraceEvent = {
  type: 'call',
  call: 'a',
  trace: 't',
  at: 5,
  agent: 'x',
  protocol: 'mcp',
  title: 'plan',
};
const B: TraceEvent = { ...A, call: 'b', parent: 'a', at: 7, agent: 'y' };
const piece = (at: number): TraceEvent => ({
  type: 'wire',
  call: 'a',
  at,
  direction: 'in',
  bytes: { text: 'xy' },
});

describe('stateOf', () => {
  it('tells little of a call of which little is known', () => {
    assert.deepEqual(stateAfter('a', A), {
      ...{ id: 'a', agent: 'x', protocol: 'mcp', title: 'plan', status: 'open', at: 5 },
    });
  });

  it('tells all that is known, but for its payload', () => {
    const reported = stateAfter(
      'b',
      { ...A, agent: 'y' },
      { ...B, from: 'z', parent: 'a', at: 7, source: { uri: 'file:///a.aicf', line: 3 } },
      { type: 'wire', call: 'b', at: 8, direction: 'out', bytes: { text: 'abc' } },
      { type: 'wire', call: 'b', at: 9, direction: 'stderr', bytes: { text: '!' } },
      { type: 'head', call: 'b', at: 10, direction: 'in', line: '200 OK', headers: [] },
      { ...piece(11), call: 'b' },
      { ...piece(12), call: 'b' },
      { type: 'note', call: 'b', at: 12, text: 'odd' },
      { type: 'end', call: 'b', at: 13, status: 'error', code: '5', message: 'No', usage: { input: 1 } },
      { type: 'wire', call: 'b', at: 15, direction: 'stderr', bytes: { text: '!' } },
    );
    assert.deepEqual(reported, {
      ...{ id: 'b', parent: 'a', agent: 'y', from: 'z', protocol: 'mcp', title: 'plan' },
      ...{ status: 'error', code: '5', message: 'No', notes: ['odd'] },
      ...{ at: 7, until: 13, last: 15, first: 10, ticks: [11, 12], pieces: 2 },
      ...{ bytesOut: 3, bytesIn: 4, bytesError: 2, usage: { input: 1 }, depth: 1, cycle: ['y', 'y'] },
      ...{ source: { uri: 'file:///a.aicf', line: 3 } },
    });
  });

  it('tells what kind of call it is', () => {
    const reported = stateAfter('b', A, { ...B, agent: 'x', reported: true, seen: 'callee' });
    const back = stateAfter('b', A, { ...B, back: true });
    assert.deepEqual([reported.isReported, reported.isView, reported.isBack], [true, true, undefined]);
    assert.deepEqual([back.isReported, back.isView, back.isBack], [undefined, undefined, true]);
  });

  it('leaves out pieces of a call that is open, evenly, and tells all in the end', () => {
    const pieces = Array.from({ length: 300 }, (_, at) => piece(10 + at));
    const open = stateAfter('a', A, ...pieces);
    assert.deepEqual([open.pieces, open.ticks?.length, open.ticks?.slice(0, 3)], [300, 75, [10, 14, 18]]);
    const ended = stateAfter('a', A, ...pieces, { type: 'end', call: 'a', at: 400, status: 'ok' });
    assert.deepEqual([ended.pieces, ended.ticks?.length, ended.last], [300, 300, undefined]);
  });

  it('says how the parent is known, and the time of the last event', () => {
    const [a, b] = [stateAfter('a', A, piece(9)), stateAfter('b', A, B)];
    assert.deepEqual(
      [a, b, { ...b, parentage: 'inferred' as const }].map(state => [parentageOf(state), knownEnd(state)]),
      [
        ['root', 9],
        ['named', 7],
        ['inferred', 7],
      ],
    );
  });
});
