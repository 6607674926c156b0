import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { LastCalls } from '../../client/src/features/agents/last-calls.ts';
import { TraceStore, type TraceChange } from '../../client/src/trace/trace-store.ts';
import type { TraceEvent } from '../../core/events/events.ts';

let time = 0;

function call(id: string, agent = 'toolbox', parent?: string): TraceEvent {
  return {
    ...(parent === undefined ? {} : { parent }),
    type: 'call',
    call: id,
    trace: `trace of ${id}`,
    at: time++,
    agent,
    protocol: 'aicf',
    title: id,
  };
}

function wire(id: string, characters: number): TraceEvent {
  return { type: 'wire', call: id, at: 1, direction: 'in', bytes: { text: 'x'.repeat(characters) } };
}

/** A change in a line: what came, and the calls whose traces went. */
function describeChange({ added, dropped }: TraceChange): string {
  const came = added ? `${added.event.type} ${added.event.call}` : 'cleared';
  return [came, ...dropped.map(trace => `-${trace.slice('trace of '.length)}`)].join(' ');
}

function openStore(): { store: TraceStore; changes: string[] } {
  const store = new TraceStore();
  const changes: string[] = [];
  store.onDidChange(change => changes.push(describeChange(change)));
  return { store, changes };
}

describe('trace store', () => {
  it('keeps 500 traces, and tells of the event that came and of the trace that went', () => {
    const { store, changes } = openStore();
    for (let at = 1; at <= 502; at++) store.add(call(`${at}`));
    store.add({ type: 'end', call: '502', at: 2, status: 'ok' });
    // The first call is gone, and so is what still comes of it.
    store.add({ type: 'end', call: '1', at: 2, status: 'ok' });
    assert.deepEqual(
      [changes.slice(499), store.trees().length, store.trees()[0]?.roots[0]?.status],
      [['call 500', 'call 501 -1', 'call 502 -2', 'end 502'], 500, 'ok'],
    );
  });

  it('keeps 256 Mi characters, 200 of them for each event, and the newest trace whatever its size', () => {
    const { store, changes } = openStore();
    // Six events; with the one character of the last of them it is one too many.
    const half = 128 * 1024 * 1024 - 600;
    for (const event of [call('a'), wire('a', half), call('b'), wire('b', half), call('c'), wire('c', 1)])
      store.add(event);
    store.add(wire('c', 2 * half));
    assert.deepEqual(changes.slice(4), ['call c', 'wire c -a', 'wire c -b']);
    assert.deepEqual(
      store.trees().map(tree => tree.trace),
      ['trace of c'],
    );
  });

  it('puts calls of two recorders into one tree, and forgets them together', async () => {
    const { store, changes } = openStore();
    store.add(call('a'));
    store.add(call('b', 'coder', 'a'));
    const outline = (): unknown =>
      store.trees().map(tree => [tree.trace, tree.roots.map(root => [root.call.call, root.children.length])]);
    assert.deepEqual(outline(), [['trace of a', [['a', 1]]]]);
    assert.equal(store.treeOf('b'), store.trees()[0]);
    assert.deepEqual((await store.eventsOf('b')).length, 1);
    store.clear();
    assert.deepEqual([changes.at(-1), outline(), await store.eventsOf('b')], ['cleared -a -b', [], []]);
  });

  it('tells which traces go where all are cleared', () => {
    const { store, changes } = openStore();
    store.add(call('a'));
    store.add(call('b'));
    store.clear();
    assert.deepEqual([changes.at(-1), store.trees()], ['cleared -a -b', []]);
  });
});

describe('last calls', () => {
  it('go on where old traces are dropped, hold no bytes, and go when all are cleared', () => {
    const { store } = openStore();
    const last = new LastCalls(store);
    store.add(call('first', 'analyst'));
    for (let at = 1; at <= 501; at++) store.add(call(`${at}`));
    store.add(wire('501', 10));
    store.add({ type: 'end', call: '501', at: time + 40, status: 'error', code: '500', message: 'No luck' });
    assert.deepEqual(
      [last.get('toolbox'), last.get('analyst')],
      [
        { status: 'error', code: '500', duration: 41, message: 'No luck' },
        { status: 'open', code: undefined, duration: undefined, message: undefined },
      ],
    );
    store.clear();
    assert.deepEqual([last.get('toolbox'), last.get('analyst')], [undefined, undefined]);
  });
});
