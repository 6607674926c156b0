import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { StoredTraces } from '../../agents/store/stored-traces.ts';
import { StoreSource } from '../../client/src/trace/store-source.ts';
import { TraceStore } from '../../client/src/trace/trace-store.ts';
import type { HeadEvent, TraceEvent, WireEvent } from '../../core/events/events.ts';
import { PayloadLimiter } from '../../trace/payload-limiter.ts';

const MIB = 1024 * 1024;

function call(id: string, at: number): TraceEvent {
  return { type: 'call', call: id, trace: `of ${id}`, at, agent: 'a', protocol: 'aicf', title: id };
}

function wire(id: string, at: number, text: string): WireEvent {
  return { type: 'wire', call: id, at, direction: 'in', bytes: { text } };
}

function end(id: string, at: number): TraceEvent {
  return { type: 'end', call: id, at, status: 'ok' };
}

/** A window with its traces. */
interface Window {
  readonly keeper: StoredTraces;
  readonly store: TraceStore;
  readonly source: StoreSource;
}

/** The names of the traces, the newest first. */
function list({ source }: Window): readonly string[] {
  return source.trees().map(tree => tree.trace.replace('of ', ''));
}

/** The bytes of a call as one text: what is long may come in pieces. */
function joinPayload(events: readonly (HeadEvent | WireEvent)[]): string {
  return events
    .map(event => (event.type === 'wire' && 'text' in event.bytes ? event.bytes.text : ''))
    .join('');
}

describe('traces of earlier windows', () => {
  let folder: string;
  let windows: Window[];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-'));
    windows = [];
  });
  afterEach(async () => {
    for (const window of windows) await close(window);
    await rm(folder, { recursive: true });
  });

  function open(traces = 50, pinned: readonly string[] = []): Window {
    const limits = { traces, bytes: 1e9, pinned };
    const keeper = new StoredTraces({ folder, producer: 'parley 0' }, () => limits);
    const store = new TraceStore(all => new Set(pinned.flatMap(id => all.treeOf(id)?.trace ?? [])), keeper);
    const window = { keeper, store, source: new StoreSource(store) };
    windows.push(window);
    return window;
  }

  function add({ store }: Window, ...events: readonly TraceEvent[]): void {
    for (const event of events) store.add(event);
  }

  async function close({ keeper, store, source }: Window): Promise<void> {
    source.dispose();
    store.dispose();
    await keeper.close();
  }

  it('come when somebody first looks, below those of this window, and with what was on the wire', async () => {
    const first = open();
    add(first, call('a', 1), wire('a', 2, 'one'), end('a', 3), call('b', 4), wire('b', 5, 'two'));
    await close(first);
    const second = open();
    add(second, call('c', 10), wire('c', 11, 'three'));
    const before = list(second);
    await second.store.load();
    assert.deepEqual([before, list(second)], [['c'], ['c', 'b', 'a']]);
    assert.deepEqual(second.source.find('a')?.notes, []);
    assert.deepEqual(
      [
        await second.source.payload('a'),
        await second.source.payload('c'),
        second.source.find('a')?.traffic.bytesIn,
        second.source.find('b')?.status,
      ],
      [[wire('a', 2, 'one')], [wire('c', 11, 'three')], 3, 'incomplete'],
    );
  });

  it('are reported as lost as soon as they cannot be stored, to all views of this window', async () => {
    await rm(folder, { recursive: true });
    await writeFile(folder, '');
    const { keeper, source } = open();
    const reported = new Promise<void>(resolve => {
      source.onDidChange(() => {
        if (source.notes().length > 0) resolve();
      });
    });
    // No call changes for their views.
    keeper.write(call('a', 1));
    await reported;
    assert.match(
      source.notes().join('\n'),
      /^Traces are lost when this window closes: \S+ cannot be written; /,
    );
  });

  it('say that what was on the wire is gone where their file was cut or went', async () => {
    const first = open();
    add(first, call('a', 1), wire('a', 2, 'one'), end('a', 3), call('empty', 4), end('empty', 5));
    add(first, call('cut', 6), wire('cut', 7, 'first'), wire('cut', 8, 'last'), end('cut', 9));
    await close(first);
    const second = open();
    await second.store.load();
    const [file = ''] = await readdir(folder);
    const path = join(folder, file);
    const stored = await readFile(path, 'utf8');
    await truncate(path, Buffer.byteLength(stored.slice(0, stored.indexOf('last'))));
    const beginning = new PayloadLimiter({ characters: 2, events: 1, of: 'call' });
    assert.equal(joinPayload(await second.source.payload('cut', beginning)), 'fi');
    assert.deepEqual(second.source.find('cut')?.notes, []);
    assert.equal(joinPayload(await second.source.payload('cut')), 'first');
    await rm(path);
    assert.deepEqual([await second.source.payload('a'), await second.source.payload('empty')], [[], []]);
    assert.deepEqual(
      ['a', 'empty', 'cut'].map(id => second.source.find(id)?.notes),
      [
        [
          'The payloads are not on disk: newer traces replaced them (parley.trace.keepMegabytes is the limit), or they could not be written',
        ],
        [],
        ['Not all payloads can be read any more: its file was deleted, truncated or could not be written'],
      ],
    );
  });

  it('are limited in number, and do not return once they were deleted or cleared', async () => {
    const first = open();
    for (const [at, id] of ['a', 'b', 'c'].entries()) add(first, call(id, at * 10), end(id, at * 10 + 1));
    await close(first);
    const second = open(2);
    await second.store.load();
    const stored = list(second);
    second.store.delete('b');
    assert.deepEqual([stored, list(second)], [['c', 'b'], ['c']]);
    await close(second);
    const third = open();
    await third.store.load();
    assert.deepEqual(list(third), ['c']);
    third.store.clear();
    await close(third);
    const fourth = open();
    await fourth.store.load();
    assert.deepEqual(list(fourth), []);
  });

  it('stay where they are pinned when all are cleared, with what was on the wire', async () => {
    const first = open();
    for (const id of ['a', 'b']) add(first, call(id, 1), wire(id, 2, `of ${id}`), end(id, 3));
    await close(first);
    const second = open(50, ['a', 'd']);
    await second.store.load();
    for (const id of ['c', 'd']) add(second, call(id, 11), wire(id, 12, `of ${id}`));
    second.store.clear();
    add(second, end('c', 13), end('d', 13), call('e', 14));
    assert.deepEqual(list(second), ['e', 'd', 'a']);
    await close(second);
    const third = open();
    await third.store.load();
    assert.deepEqual(list(third), ['e', 'd', 'a']);
    assert.deepEqual(
      [third.source.find('d')?.status, await third.source.payload('d'), await third.source.payload('a')],
      ['ok', [wire('d', 12, 'of d')], [wire('a', 2, 'of a')]],
    );
  });

  it('leave memory with what was on the wire of long calls and of the oldest, and are read from disk', async () => {
    const window = open();
    const inMemory = (id: string): number => window.source.find(id)?.wire.length ?? -1;
    const long = 'x'.repeat(15 * MIB);
    for (const [at, id] of ['a', 'b', 'c', 'd', 'e'].entries())
      add(window, call(id, at), wire(id, at, long), end(id, at + 0.5));
    add(window, call('huge', 9), wire('huge', 9, 'start'), wire('huge', 10, 'y'.repeat(17 * MIB)));
    assert.deepEqual(
      ['a', 'b', 'c', 'd', 'e', 'huge'].map(id => [
        id,
        inMemory(id),
        window.source.find(id)?.traffic.bytesIn,
      ]),
      [
        ['a', 0, 15 * MIB],
        ['b', 1, 15 * MIB],
        ['c', 1, 15 * MIB],
        ['d', 1, 15 * MIB],
        ['e', 1, 15 * MIB],
        ['huge', 0, 17 * MIB + 5],
      ],
    );
    assert.deepEqual(
      [
        joinPayload(await window.source.payload('a')) === long,
        joinPayload(await window.source.payload('huge')) === `start${'y'.repeat(17 * MIB)}`,
        [...new Set((await window.store.eventsOf('huge')).map(event => event.type))],
      ],
      [true, true, ['call', 'wire']],
    );
  });
});
