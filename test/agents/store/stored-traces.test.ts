import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { StoredTraces } from '../../../agents/store/stored-traces.ts';
import type { TraceEvent } from '../../../core/events/events.ts';
import { printTraceEvent, printTraceHeader } from '../../../trace/file.ts';
import { TraceFold } from '../../../trace/fold/fold.ts';
import type { SkeletonEvent } from '../../../core/events/payload.ts';
import type { CallNode } from '../../../trace/fold/tree.ts';
import { cutsOf } from '../../support/cuts.ts';
import { sized } from '../../support/size.ts';

const LIMITS = { traces: 50, bytes: 1e9, pinned: [] };

function call(id: string, at = 0, parent?: string): TraceEvent {
  const more = parent === undefined ? {} : { parent };
  return {
    type: 'call',
    call: id,
    trace: `of ${id}`,
    at,
    agent: 'a',
    protocol: 'aicf',
    title: id,
    ...more,
  };
}

function wire(id: string, text: string, at = 1): TraceEvent {
  return { type: 'wire', call: id, at, seq: 1, direction: 'in', bytes: { text } };
}

function end(id: string, at = 2): TraceEvent {
  return { type: 'end', call: id, at, seq: 2, status: 'ok' };
}

/** A call that was answered with its name. */
function answered(id: string, at = 0): readonly TraceEvent[] {
  return [call(id, at), wire(id, `OK|${id}\u{2028}`, at + 1), end(id, at + 2)];
}

function describeCall({ call: { call: id }, status, message, children }: CallNode): unknown {
  return [id, status, ...(message === undefined ? [] : [message]), ...children.map(describeCall)];
}

describe('traces that are stored', () => {
  let made: string;
  let folder: string;
  let opened: StoredTraces[];
  let child: ChildProcess | undefined;
  beforeEach(async () => {
    made = await mkdtemp(join(tmpdir(), 'parley-'));
    folder = join(made, 'traces');
    opened = [];
  });
  afterEach(async () => {
    child?.kill();
    child = undefined;
    for (const stored of opened) await stored.close();
    await rm(made, { recursive: true });
  });

  let now = Date.parse('2026-11-22T10:00:00Z');
  /** The traces of a window: each opens a little later. */
  function open(limits: object = {}): StoredTraces {
    const stored = new StoredTraces(
      { folder, producer: 'parley 0' },
      () => ({ ...LIMITS, ...limits }),
      () => now++,
    );
    opened.push(stored);
    return stored;
  }

  async function write(events: readonly TraceEvent[], limits: object = {}): Promise<void> {
    const stored = open(limits);
    for (const event of events) stored.write(event);
    await stored.close();
  }

  /** What a window reads of those before it. */
  async function load(stored: StoredTraces): Promise<readonly unknown[]> {
    const fold = new TraceFold();
    await stored.load({
      take: (event: SkeletonEvent) => fold.add(event),
      isFull: () => fold.size >= stored.maxTraces,
    });
    return fold.trees().flatMap(tree => tree.roots.map(describeCall));
  }

  const list = async (): Promise<readonly string[]> =>
    existsSync(folder) ? (await readdir(folder)).sort() : [];
  /** The ids of the calls in each file. */
  const contents = async (): Promise<readonly string[]> =>
    Promise.all(
      (await list()).map(async name => {
        const text = await readFile(join(folder, name), 'utf8');
        return [...text.matchAll(/"type":"call","call":"([^"]+)"/g)].map(([, id]) => id).join(' ');
      }),
    );

  it('are on disk once they are settled', async () => {
    const stored = open();
    const events = answered('x');
    for (const event of events) stored.write(event);
    await stored.settled();
    const [file = ''] = await list();
    assert.equal(
      await readFile(join(folder, file), 'utf8'),
      printTraceHeader('parley 0') + events.map(printTraceEvent).join(''),
    );
  });

  it('are read by the next window, and what was on the wire of each is found', async () => {
    await write([call('a'), call('b', 1, 'a'), wire('b', 'Grüße\u{2028}'), end('b'), end('a', 3)]);
    await write([...answered('c', 10)]);
    const stored = open();
    assert.deepEqual(
      [
        await load(stored),
        await stored.payload('b'),
        await stored.payload('c'),
        await stored.payload('?'),
        stored.notes,
      ],
      [
        [
          ['a', 'ok', ['b', 'ok']],
          ['c', 'ok'],
        ],
        [wire('b', 'Grüße\u{2028}')],
        [wire('c', 'OK|c\u{2028}', 11)],
        [],
        [],
      ],
    );
  });

  it('are read again while they are written, and write nothing before the first call', async () => {
    const stored = open();
    stored.write(wire('unknown', 'passed over'));
    assert.deepEqual(await list(), []);
    stored.write(call('a'));
    stored.write(wire('a', 'one'));
    const first = await stored.payload('a');
    const more: TraceEvent = {
      type: 'wire',
      call: 'a',
      at: 3,
      seq: 3,
      direction: 'in',
      bytes: { text: '2' },
    };
    stored.write(more);
    assert.deepEqual([first, await stored.payload('a')], [[wire('a', 'one')], [wire('a', 'one'), more]]);
  });

  it('lose at most the last line where a window was cut off at any byte', async () => {
    const lines = [
      printTraceHeader('parley 0'),
      ...[...answered('a'), ...answered('b', 10)].map(printTraceEvent),
    ];
    const whole = Buffer.from(lines.join(''));
    // How many lines end before a byte, or with it but for the line end.
    const ends = lines.map((_, index) => Buffer.byteLength(lines.slice(0, index + 1).join('')) - 1);
    await mkdir(folder, { recursive: true });
    const cutOff = 'The window was closed before the call ended';
    const expected = [
      ['incomplete', 'incomplete', 'ok'].map(status => ['a', status, ...(status === 'ok' ? [] : [cutOff])]),
      ['incomplete', 'incomplete', 'ok'].map(status => ['b', status, ...(status === 'ok' ? [] : [cutOff])]),
    ] as const;
    for (const cut of cutsOf(whole, sized(1, 73))) {
      await writeFile(join(folder, '2026.agenttrace.jsonl'), whole.subarray(0, cut));
      const count = ends.filter(at => at <= cut).length - 1;
      const found = await load(open());
      const a = count > 0 ? [expected[0][Math.min(count, 3) - 1]] : [];
      const b = count > 3 ? [expected[1][count - 4]] : [];
      assert.deepEqual(found, [...a, ...b], `cut at ${cut}`);
      await rm(folder, { recursive: true });
      await mkdir(folder);
    }
  });

  it('stand in files of a size, all of a call in one', async () => {
    const stored = open({ perFile: 1_000 });
    for (const event of [call('a'), ...answered('b'), ...answered('c'), ...answered('d')])
      stored.write(event);
    stored.write(wire('a', 'late'));
    stored.write(end('a'));
    assert.deepEqual(await stored.payload('a'), [wire('a', 'late')]);
    await stored.close();
    assert.deepEqual(await contents(), ['a b c', 'd']);
    assert.deepEqual(
      await load(open()),
      ['a', 'b', 'c', 'd'].map(id => [id, 'ok']),
    );
  });

  it('are deleted from the oldest on above the limit, except pinned ones', async () => {
    await write([...answered('a', 0), ...answered('pinned', 5)]);
    for (const [at, id] of ['b', 'c', 'd'].entries()) await write(answered(id, 10 * (at + 1)));
    const stored = open({ traces: 2, pinned: ['pinned'] });
    assert.deepEqual(
      await load(stored),
      ['pinned', 'c', 'd'].map(id => [id, 'ok']),
    );
    assert.deepEqual(await contents(), ['pinned', 'c', 'd']);
    assert.deepEqual(await stored.payload('pinned'), [wire('pinned', 'OK|pinned\u{2028}', 6)]);
  });

  it('go from the oldest on where all are too large, but for those that are written', async () => {
    for (const id of ['a', 'b']) await write(answered(id));
    const stored = open({ bytes: 800, perFile: 1 });
    // The file of a call that is open stays, however old.
    stored.write(call('open'));
    for (const id of ['c', 'd', 'e']) for (const event of answered(id)) stored.write(event);
    await stored.close();
    assert.deepEqual(await contents(), ['open', 'd', 'e']);
  });

  it('are still found in a file that was read and from which others went', async () => {
    await write([...answered('a'), ...answered('pinned', 5)]);
    const stored = open({ bytes: 1, perFile: 1, pinned: ['pinned'] });
    await load(stored);
    const before = await stored.payload('pinned');
    for (const event of answered('b')) stored.write(event);
    const after = await stored.payload('pinned');
    const found = [wire('pinned', 'OK|pinned\u{2028}', 6)];
    assert.deepEqual([before, after, await contents()], [found, found, ['pinned', 'b']]);
  });

  it('are neither read nor deleted while another process writes them', async () => {
    await write(answered('a'));
    child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000); console.log()']);
    assert.ok(child.stdout);
    await once(child.stdout, 'data');
    const name = `2026-01-01.${child.pid}.agenttrace.jsonl`;
    const text = printTraceHeader('parley 0') + answered('another').map(printTraceEvent).join('');
    await writeFile(join(folder, name), text);
    const stored = open({ traces: 0, bytes: 1 });
    for (const event of answered('b')) stored.write(event);
    await load(stored);
    await stored.clear();
    assert.deepEqual([await list(), await contents()], [[name], ['another']]);
    child.kill();
    await once(child, 'exit');
    assert.deepEqual(await load(open()), [['another', 'ok']]);
  });

  it('are gone from the files when they are deleted, while others are written on', async () => {
    await write([...answered('a'), ...answered('b')]);
    await write(answered('c'));
    const stored = open();
    await load(stored);
    for (const event of [call('d'), ...answered('e')]) stored.write(event);
    stored.forget(['a']);
    stored.forget(['c', 'e']);
    stored.write(wire('e', 'of a call that is no longer kept'));
    stored.write(wire('d', 'goes on'));
    stored.write(end('d'));
    assert.deepEqual(
      [await stored.payload('a'), await stored.payload('b'), await stored.payload('d')],
      [[], [wire('b', 'OK|b\u{2028}')], [wire('d', 'goes on')]],
    );
    await stored.close();
    assert.deepEqual([await contents(), stored.notes], [['b', 'd'], []]);
    assert.deepEqual(await load(open()), [
      ['b', 'ok'],
      ['d', 'ok'],
    ]);
  });

  it('are all gone when they are cleared; later ones are stored', async () => {
    await write(answered('a'));
    const stored = open();
    stored.write(call('b'));
    await stored.clear();
    stored.write(end('b'));
    assert.deepEqual(await list(), []);
    for (const event of answered('c')) stored.write(event);
    await stored.close();
    assert.deepEqual(await contents(), ['c']);
  });

  it('are cleared but for what stays, in files that were read, are written or were never read', async () => {
    await write([...answered('read'), ...answered('stays')]);
    const stored = open({ pinned: ['pinned', 'stays'] });
    await load(stored);
    await write([...answered('old'), ...answered('pinned')]);
    for (const event of [...answered('own'), call('goes on')]) stored.write(event);
    const cleared = stored.clear(new Set(['stays', 'goes on']));
    for (const event of [...answered('new'), end('goes on')]) stored.write(event);
    await cleared;
    await stored.close();
    assert.deepEqual(await contents(), ['stays', 'pinned', 'goes on new']);
  });

  it('say that they are not stored if the folder cannot be written', async () => {
    await writeFile(folder, '');
    const stored = open();
    const reported = new Promise<void>(resolve => stored.onNote(resolve));
    stored.write(call('a'));
    // While the window is open, and without more to write.
    await reported;
    assert.deepEqual(
      stored.notes.map(note => note.replace(/traces.[^ ]*jsonl/, 'traces/NAME')),
      [
        `Traces are lost when this window closes: ${join(folder, 'NAME')} cannot be written; check that its folder is writable`,
      ],
    );
  });
});
