import assert from 'node:assert/strict';
import { appendFile, mkdtemp, open, rename, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { TraceIndex } from '../../agents/src/store/trace-index.ts';
import type { CallEvent, TraceEvent } from '../../protocol/src/trace/events.ts';
import { parseTraceFile, printTraceEvent, printTraceHeader } from '../../protocol/src/trace/file.ts';
import { TraceFold } from '../../protocol/src/trace/fold.ts';
import { withoutPayload } from '../../protocol/src/trace/marks.ts';
import { picture } from '../unit/trace/support/picture.ts';

const HEADER = printTraceHeader('parley 0');

function call(id: string, at: number, parent?: string): CallEvent {
  const more = parent === undefined ? {} : { parent };
  return {
    type: 'call',
    call: id,
    trace: 't',
    at,
    agent: 'a',
    protocol: 'aicf',
    title: `Gruß ${id}`,
    ...more,
  };
}

const EVENTS: readonly TraceEvent[] = [
  call('a', 1),
  { type: 'head', call: 'a', at: 2, seq: 1, direction: 'out', line: 'POST /', headers: [] },
  { type: 'wire', call: 'a', at: 3, seq: 2, direction: 'out', bytes: { text: 'CALL|Grüße\n' } },
  call('b', 4, 'a'),
  { type: 'wire', call: 'b', at: 5, seq: 1, direction: 'in', bytes: { base64: '/w==' } },
  { type: 'end', call: 'b', at: 6, seq: 2, status: 'ok' },
  { type: 'end', call: 'a', at: 7, seq: 3, status: 'error', code: '500' },
];

/** The trees of events without their payloads. */
function shape(events: readonly TraceEvent[]): unknown {
  const fold = new TraceFold('counted');
  for (const event of events) fold.add(withoutPayload(event));
  return picture(fold.trees());
}

describe('the index of a trace file', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-'));
    path = join(folder, 't.agenttrace.jsonl');
  });
  afterEach(() => rm(folder, { recursive: true }));

  const payloads = (call: string): readonly TraceEvent[] =>
    EVENTS.filter(event => event.call === call && (event.type === 'head' || event.type === 'wire'));

  it('has the calls of the file, and finds what was on the wire of each at its place', async () => {
    await writeFile(path, `\u{feff}${HEADER}\n${EVENTS.map(printTraceEvent).join('\r\n')}`);
    const index = new TraceIndex(path);
    assert.deepEqual(await index.readOn(), { ok: true, found: 'more' });
    assert.deepEqual([picture(index.fold.trees()), index.entries, index.notes], [shape(EVENTS), 3, []]);
    for (const id of ['a', 'b']) assert.deepEqual(await index.payload(id), payloads(id));
    assert.deepEqual([await index.payload('x'), await index.readOn()], [[], { ok: true, found: 'nothing' }]);
  });

  it('loses at most the last line where the file was cut, at any byte', async () => {
    const whole = Buffer.from(HEADER + EVENTS.map(printTraceEvent).join(''));
    for (let length = HEADER.length; length <= whole.length; length++) {
      const cut = whole.subarray(0, length);
      await writeFile(path, cut);
      const index = new TraceIndex(path);
      assert.deepEqual(await index.readOn(), { ok: true, found: 'more' });
      const lines = cut.subarray(HEADER.length).toString('latin1').split('\n').length - 1;
      const { events, notes } = parseTraceFile(cut.toString());
      assert.ok(events.length >= lines);
      assert.deepEqual([picture(index.fold.trees()), index.notes], [shape(events), notes]);
      // What is written after that is read on.
      await writeFile(path, whole);
      assert.deepEqual(await index.readOn(), {
        ok: true,
        found: length === whole.length ? 'nothing' : 'more',
      });
      assert.deepEqual([picture(index.fold.trees()), index.notes], [shape(EVENTS), []]);
      for (const id of ['a', 'b']) assert.deepEqual(await index.payload(id), payloads(id));
    }
  });

  it('takes events that come twice once, and puts them in order', async () => {
    const [begun, ...rest] = EVENTS.map(printTraceEvent);
    await writeFile(path, [HEADER, ...rest.toReversed(), begun, ...rest].join(''));
    const index = new TraceIndex(path);
    await index.readOn();
    assert.deepEqual([picture(index.fold.trees()), index.notes], [shape(EVENTS), []]);
    for (const id of ['a', 'b']) assert.deepEqual(await index.payload(id), payloads(id));
  });

  it('says which lines it leaves out, the first 20 one by one', async () => {
    const foreign = Array.from({ length: 22 }, (_, at) => `foreign ${at}\n`).join('');
    await writeFile(path, `${HEADER}${foreign}{"type":"no`);
    const index = new TraceIndex(path);
    await index.readOn();
    assert.deepEqual(index.notes, [
      ...Array.from(
        { length: 20 },
        (_, at) => `Line ${at + 2} is not an event of this format; it is left out: 'foreign ${at}'`,
      ),
      '2 more lines are left out',
      'The last line was torn while it was written; it is left out',
    ]);
  });

  it('begins anew where another file took the place', async () => {
    await writeFile(path, HEADER + EVENTS.map(printTraceEvent).join(''));
    const index = new TraceIndex(path);
    await index.readOn();
    await writeFile(path, HEADER + EVENTS.slice(0, 1).map(printTraceEvent).join(''));
    assert.deepEqual(await index.readOn(), { ok: true, found: 'anew' });
    assert.deepEqual([picture(index.fold.trees()), index.entries], [shape(EVENTS.slice(0, 1)), 0]);
  });

  it('begins anew where another file has its name now, whatever its size', async () => {
    await writeFile(path, HEADER + EVENTS.slice(0, 1).map(printTraceEvent).join(''));
    const index = new TraceIndex(path);
    await index.readOn();
    const others = [call('b', 4), ...EVENTS.slice(4, 6)];
    await writeFile(`${path}.next`, HEADER + others.map(printTraceEvent).join(''));
    await rename(`${path}.next`, path);
    assert.deepEqual(await index.readOn(), { ok: true, found: 'anew' });
    assert.deepEqual([picture(index.fold.trees()), index.notes], [shape(others), []]);
    assert.deepEqual(await index.readOn(), { ok: true, found: 'nothing' });
  });

  const wrong: readonly (readonly [name: string, text: string, message: RegExp])[] = [
    ['is empty', '', /^This is not a trace file: its first line should be .* but is ''$/],
    ['is another one', 'dear diary\n', /^This is not a trace file: .* but is 'dear diary'$/],
    [
      'is newer',
      '{"format":"agenttrace","version":2}\n{',
      /^The trace file has version 2 and this program reads up to/,
    ],
  ];
  for (const [name, text, message] of wrong) {
    it(`answers why a file cannot be read that ${name}`, async () => {
      await writeFile(path, text);
      const answer = await new TraceIndex(path).readOn();
      assert.match(answer.ok ? '' : answer.message, message);
    });
  }

  it('answers why a file cannot be read that is not there', async () => {
    const answer = await new TraceIndex(join(folder, 'x')).readOn();
    assert.match(answer.ok ? '' : answer.message, /cannot be read \(ENOENT\); see that it is there$/);
  });

  it('reads a large file by pieces of 1 MiB', async () => {
    const text = 'x'.repeat(2 ** 19);
    const wires = Array.from({ length: 8 }, (_, seq): TraceEvent => {
      return { type: 'wire', call: 'a', at: 2, seq, direction: 'in', bytes: { text } };
    });
    await writeFile(path, HEADER + [call('a', 1), ...wires].map(printTraceEvent).join(''));
    const handle = await open(path);
    const { size } = await handle.stat();
    await handle.close();
    const kind = Object.getPrototypeOf(handle) as { read: FileHandle['read'] };
    const { read } = kind;
    const asked: number[] = [];
    kind.read = function (this: FileHandle, ...args: [Buffer, number, number, number]) {
      asked.push(args[2]);
      return Reflect.apply(read, this, args) as ReturnType<FileHandle['read']>;
    } as FileHandle['read'];
    const index = new TraceIndex(path);
    try {
      assert.deepEqual(await index.readOn(), { ok: true, found: 'more' });
    } finally {
      kind.read = read;
    }
    assert.equal(index.entries, 8);
    assert.deepEqual([Math.max(...asked), asked.reduce((sum, each) => sum + each, 0)], [2 ** 20, size]);
  });

  it('keeps of 300 MB the places of its lines alone', async function () {
    this.timeout(120_000);
    const text = 'x'.repeat(3 * 2 ** 20);
    const file = await open(path, 'w');
    await file.appendFile(HEADER);
    for (let at = 0; at < 100; at++) {
      await file.appendFile(printTraceEvent(call(`c${at}`, at)));
      const wire: TraceEvent = {
        type: 'wire',
        call: `c${at}`,
        at,
        seq: 1,
        direction: 'in',
        bytes: { text: text + at },
      };
      await file.appendFile(printTraceEvent(wire));
    }
    await file.close();
    const index = new TraceIndex(path);
    let most = 0;
    assert.deepEqual(await index.readOn(read => (most = Math.max(most, read))), { ok: true, found: 'more' });
    assert.ok(most > 300 * 2 ** 20);
    const [tree] = index.fold.trees();
    assert.deepEqual(
      [tree?.size, index.entries, tree?.roots.every(node => node.wire.length === 0)],
      [100, 100, true],
    );
    const [found] = await index.payload('c57');
    assert.ok(found?.type === 'wire' && 'text' in found.bytes && found.bytes.text === `${text}57`);
    await appendFile(path, printTraceEvent(call('late', 200)));
    assert.deepEqual(await index.readOn(), { ok: true, found: 'more' });
    assert.equal(index.fold.trees()[0]?.size, 101);
  });
});
