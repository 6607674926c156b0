import assert from 'node:assert/strict';
import {
  appendFile,
  mkdtemp,
  open,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
  type FileHandle,
} from 'node:fs/promises';
import { createHook } from 'node:async_hooks';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { TraceIndex } from '../../../agents/store/trace-index.ts';
import type { CallEvent, TraceEvent, WireEvent } from '../../../core/events/events.ts';
import { printTraceEvent, printTraceHeader } from '../../../trace/file.ts';
import { LostPayloads } from '../../../trace/export/lost-payloads.ts';
import { TraceFold } from '../../../trace/fold/fold.ts';
import { withoutPayload, storedLength } from '../../../core/events/payload.ts';
import { PayloadCheck } from '../../../trace/payload-check.ts';
import { PayloadLimiter } from '../../../trace/payload-limiter.ts';
import { cutsOf } from '../../support/cuts.ts';
import { sized } from '../../support/size.ts';
import { parseTraceFile } from '../../support/at-once.ts';
import { picture } from '../../unit/trace/support/picture.ts';

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

/** Counts the files that are opened and closed, and what is read of them, until its end. */
async function watchReads(): Promise<{
  opened(): number;
  end(): { opened: number; closed: number; reads: number; bytes: number };
}> {
  const handle = await open(import.meta.filename);
  const kind = Object.getPrototypeOf(handle) as Pick<FileHandle, 'read'>;
  await handle.close();
  const { read } = kind;
  const seen = { opened: 0, closed: 0, reads: 0, bytes: 0 };
  const hook = createHook({
    init(_, type) {
      if (type === 'FILEHANDLE') seen.opened++;
      else if (type === 'FILEHANDLECLOSEREQ') seen.closed++;
    },
  }).enable();
  kind.read = function (this: FileHandle, ...args: [Buffer, number, number, number]) {
    seen.reads++;
    seen.bytes += args[2];
    return Reflect.apply(read, this, args) as ReturnType<FileHandle['read']>;
  } as FileHandle['read'];
  return {
    opened: () => seen.opened,
    end() {
      hook.disable();
      kind.read = read;
      return seen;
    },
  };
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
    for (const length of cutsOf(whole, sized(1, 37))) {
      if (length < HEADER.length) continue;
      const cut = whole.subarray(0, length);
      await writeFile(path, cut);
      const index = new TraceIndex(path);
      assert.deepEqual(await index.readOn(), { ok: true, found: 'more' });
      const lines = cut.subarray(HEADER.length).toString('latin1').split('\n').length - 1;
      const { events, notes } = parseTraceFile(cut.toString());
      assert.ok(events.length >= lines);
      assert.deepEqual([picture(index.fold.trees()), index.notes], [shape(events), notes]);
      // What is written after that is read on.
      const isCut = length < whole.length;
      if (isCut) await writeFile(path, whole);
      assert.deepEqual(await index.readOn(), { ok: true, found: isCut ? 'more' : 'nothing' });
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
      'The last line is incomplete, because writing it was interrupted; it is left out',
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

  it('begins anew where the file was written over by a longer one, or removed and made anew', async () => {
    const others = [call('x', 1), ...EVENTS.map(event => ({ ...event, call: `other ${event.call}` }))];
    for (const isRemoved of [false, true]) {
      await writeFile(path, HEADER + EVENTS.map(printTraceEvent).join(''));
      const index = new TraceIndex(path);
      await index.readOn();
      // The number of a removed file is used again for the next one.
      if (isRemoved) await rm(path);
      await writeFile(path, HEADER + others.map(printTraceEvent).join(''));
      assert.deepEqual(await index.readOn(), { ok: true, found: 'anew' });
      assert.deepEqual(
        [picture(index.fold.trees()), index.entries, index.notes],
        [shape(others), payloads('a').length + payloads('b').length, []],
      );
      await appendFile(path, printTraceEvent(call('y', 9)));
      assert.deepEqual(await index.readOn(), { ok: true, found: 'more' });
    }
  });

  it('begins anew where its last lines alone are others, and goes on where they were torn', async () => {
    await writeFile(path, `${HEADER}${printTraceEvent(call('a', 1))}{"type":"ca`);
    const index = new TraceIndex(path);
    await index.readOn();
    await writeFile(path, HEADER + [call('a', 1), call('b', 2)].map(printTraceEvent).join(''));
    assert.deepEqual(await index.readOn(), { ok: true, found: 'more' });
    await writeFile(path, HEADER + [call('a', 1), call('c', 2), call('d', 3)].map(printTraceEvent).join(''));
    assert.deepEqual(await index.readOn(), { ok: true, found: 'anew' });
    assert.deepEqual(picture(index.fold.trees()), shape([call('a', 1), call('c', 2), call('d', 3)]));
  });

  it('begins anew where it was edited far from its end and is as long as it was', async () => {
    const note: TraceEvent = { type: 'note', call: 'a', at: 2, text: 'x'.repeat(300) };
    const whole = Buffer.from(HEADER + [call('a', 1, 'old'), note].map(printTraceEvent).join(''));
    await writeFile(path, whole);
    const index = new TraceIndex(path);
    await index.readOn();
    const { mtimeMs } = await stat(path);
    const file = await open(path, 'r+');
    await file.write('new', whole.indexOf('old'));
    await file.utimes(1, mtimeMs / 1000 + 10);
    await file.close();
    assert.deepEqual(await index.readOn(), { ok: true, found: 'anew' });
    assert.deepEqual(picture(index.fold.trees()), shape([call('a', 1, 'new'), note]));
    assert.deepEqual(await index.readOn(), { ok: true, found: 'nothing' });
    // One that grew has another time, and its torn line is no event.
    await appendFile(path, '{"type":');
    for (let look = 0; look < 2; look++)
      assert.deepEqual(await index.readOn(), { ok: true, found: 'nothing' });
    await appendFile(path, '"x"}\n');
    assert.deepEqual(await index.readOn(), { ok: true, found: 'more' });
  });

  it('begins anew where another file has its name now that ends as it did', async () => {
    const text = 'x'.repeat(300);
    const write = (to: string, id: string): Promise<void> =>
      writeFile(to, [HEADER, ...[call(id, 1), note(id)].map(printTraceEvent)].join(''));
    const note = (id: string): TraceEvent => ({ type: 'note', call: id, at: 2, text });
    await write(path, 'a');
    const index = new TraceIndex(path);
    await index.readOn();
    await write(`${path}.next`, 'b');
    await rename(`${path}.next`, path);
    assert.deepEqual(await index.readOn(), { ok: true, found: 'anew' });
    assert.deepEqual(picture(index.fold.trees()), shape([call('b', 1), note('b')]));
  });

  it('says of a call whose payload went with the file that it is gone, and an export counts such calls', async () => {
    await writeFile(path, HEADER + [...EVENTS, call('c', 8)].map(printTraceEvent).join(''));
    const index = new TraceIndex(path);
    await index.readOn();
    const lost = new LostPayloads({ payload: id => index.payload(id), find: id => index.fold.find(id) });
    for (const id of ['a', 'b', 'c']) await lost.payload(id);
    const notesOf = (id: string): unknown => index.fold.find(id)?.notes;
    assert.deepEqual([lost.notes, notesOf('a'), notesOf('c')], [[], [], []]);
    await rm(path);
    for (const id of ['a', 'b', 'c', 'a']) assert.deepEqual(await lost.payload(id), []);
    const pieces: unknown[] = [];
    for await (const piece of index.payloads(['a', 'c', 'b'])) pieces.push(piece);
    const nothingOf = (id: string): unknown => ({ call: id, events: [], isLast: true });
    assert.deepEqual(pieces, [nothingOf('c'), nothingOf('a'), nothingOf('b')]);
    const note = 'Its payload can no longer be read: its file was deleted';
    assert.deepEqual([notesOf('a'), notesOf('b'), notesOf('c')], [[note], [note], []]);
    assert.deepEqual(
      lost.lost.map(node => node.call.call),
      ['a', 'b'],
    );
    assert.deepEqual(lost.notes, [
      'Not all payloads of 2 calls could be read: its file was deleted, truncated or could not be written',
    ]);
  });

  it('tells of each call once where the file is cut while it is read, and which are not whole', async () => {
    const text = 'x'.repeat(9 * 2 ** 20);
    const long: TraceEvent = { type: 'wire', call: 'long', at: 9, direction: 'in', bytes: { text } };
    const before = HEADER + [...EVENTS, call('long', 8)].map(printTraceEvent).join('');
    await writeFile(path, before + printTraceEvent(long) + printTraceEvent(call('last', 10)));
    const index = new TraceIndex(path);
    await index.readOn();
    const read = async (): Promise<unknown> => {
      const found: unknown[] = [];
      let check: PayloadCheck | undefined;
      for await (const { call: id, events, isLast } of index.payloads(['last', 'long', 'b', 'a'])) {
        check ??= new PayloadCheck(index.fold.find(id)?.traffic ?? assert.fail());
        check.take(events);
        if (isLast) found.push([id, check.isWhole]);
        if (isLast) check = undefined;
      }
      return found;
    };
    const whole = ['last', 'a', 'b', 'long'].map(id => [id, true]);
    assert.deepEqual(await read(), whole);
    await truncate(path, before.length + 2 ** 22);
    assert.deepEqual(await read(), [...whole.slice(0, 3), ['long', false]]);
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
    assert.match(answer.ok ? '' : answer.message, /cannot be read \(ENOENT\); check that it exists$/);
  });

  it('leaves out a line that is longer than is read, with a note, and reads on after it', async () => {
    const long = Buffer.alloc(2 ** 25, 'x');
    const events = EVENTS.map(printTraceEvent);
    await writeFile(path, HEADER + events.slice(0, 2).join(''));
    await appendFile(path, long);
    const index = new TraceIndex(path);
    assert.deepEqual(await index.readOn(), { ok: true, found: 'more' });
    assert.deepEqual(index.notes, [
      'The last line is incomplete, because writing it was interrupted; it is left out',
    ]);
    await appendFile(path, `y\n${events.slice(2).join('')}`);
    assert.deepEqual(await index.readOn(), { ok: true, found: 'more' });
    assert.deepEqual(picture(index.fold.trees()), shape(EVENTS));
    assert.deepEqual(index.notes, [`Line 4 has ${long.length + 1} bytes, more than is read; it is left out`]);
    await writeFile(path, long);
    await appendFile(path, 'y');
    const other = await index.readOn();
    assert.match(other.ok ? '' : other.message, /^This is not a trace file: .* but is 'x+…'$/);
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
    // And once more the end of what was read, by which the file is known again.
    assert.deepEqual([Math.max(...asked), asked.reduce((sum, each) => sum + each, 0)], [2 ** 20, size + 256]);
  });

  it('reads what was on the wire of many calls in one pass, from the beginning of the file on', async () => {
    const count = 3_000;
    const begun = Array.from({ length: count }, (_, at) => call(`c${at}`, at));
    const wires = begun.map(({ call: id, at }): TraceEvent => {
      return { type: 'wire', call: id, at, seq: 2, direction: 'in', bytes: { text: `said by ${id}` } };
    });
    const heads = begun.map(({ call: id, at }): TraceEvent => {
      return { type: 'head', call: id, at, seq: 1, direction: 'in', line: 'HTTP/1.1 200 OK', headers: [] };
    });
    // The last events of each call are before the first ones, and one event came twice.
    await writeFile(
      path,
      HEADER + [...begun, ...wires, ...heads, ...wires.slice(0, 1)].map(printTraceEvent).join(''),
    );
    const index = new TraceIndex(path);
    await index.readOn();
    const asked = begun.map(({ call: id }) => id).reverse();
    const watch = await watchReads();
    const reported: string[] = [];
    for await (const { call: id, events, isLast } of index.payloads(['nobody', ...asked])) {
      assert.ok(isLast);
      reported.push(id);
      const at = Number(id.slice(1));
      assert.deepEqual(events, id === 'nobody' ? [] : [heads[at], wires[at]]);
    }
    const { opened, reads } = watch.end();
    assert.deepEqual(reported, ['nobody', ...asked.toReversed()]);
    assert.deepEqual([opened, reads < 10], [1, true], `${reads} reads`);
  });

  it('stops when nothing more is read, and opens no file for calls without payloads', async () => {
    const begun = Array.from({ length: 40 }, (_, at) => call(`c${at}`, at));
    const text = 'x'.repeat(2 ** 20);
    const wires = begun.slice(0, 20).map(({ call: id, at }): TraceEvent => {
      return { type: 'wire', call: id, at, seq: 1, direction: 'in', bytes: { text } };
    });
    await writeFile(path, HEADER + [...begun, ...wires].map(printTraceEvent).join(''));
    const index = new TraceIndex(path);
    await index.readOn();
    const watch = await watchReads();
    for await (const { call: id } of index.payloads(begun.map(({ call: id }) => id).slice(20)))
      assert.deepEqual(await index.payload(id), []);
    assert.equal(watch.opened(), 0);
    for await (const { call: id, events } of index.payloads(begun.map(({ call: id }) => id)))
      if (events.length > 0) {
        assert.equal(id, 'c0');
        break;
      }
    const { opened, closed, bytes } = watch.end();
    assert.deepEqual([opened, closed, bytes < 9 * 2 ** 20], [1, 1, true], `${bytes} bytes`);
  });

  it('holds of a long payload what there is room for, and counts the rest', async () => {
    const text = 'x'.repeat(2 ** 20);
    const wires = Array.from({ length: 12 }, (_, at): WireEvent => {
      return { type: 'wire', call: 'a', at, seq: at + 1, direction: at < 10 ? 'in' : 'out', bytes: { text } };
    });
    await writeFile(path, HEADER + [call('a', 1), ...wires].map(printTraceEvent).join(''));
    const index = new TraceIndex(path);
    await index.readOn();
    const room = new PayloadLimiter({ characters: 2.5 * 2 ** 20, events: Infinity, of: 'call' });
    const stored = await index.payload('a', room);
    assert.deepEqual(
      stored.map(event => [event.seq, event.type === 'wire' && storedLength(event)]),
      [
        [1, 2 ** 20],
        [2, 2 ** 20],
        [3, 2 ** 19],
        [11, 2 ** 20],
        [12, 2 ** 20],
      ],
    );
    assert.deepEqual([room.leftOut, room.leftOutOf('in'), room.leftOutOf('out')], [7, 7.5 * 2 ** 20, 0]);
    // One that is longer than what is read together comes in pieces.
    const pieces: unknown[] = [];
    for await (const { events, isLast } of index.payloads(['a']))
      pieces.push([...events.map(({ seq }) => seq), isLast]);
    assert.deepEqual(pieces, [...wires.map(({ seq }) => [seq, false]), [true]]);
  });

  it('stops reading on request, and continues the next time', async () => {
    const text = 'x'.repeat(2 ** 19);
    const wires = Array.from({ length: 32 }, (_, seq): TraceEvent => {
      return { type: 'wire', call: 'a', at: 2, seq, direction: 'in', bytes: { text } };
    });
    await writeFile(path, HEADER + [call('a', 1), ...wires].map(printTraceEvent).join(''));
    const watch = await watchReads();
    const index = new TraceIndex(path);
    const stop = new AbortController();
    const read = await index.readOn(() => stop.abort(), stop.signal);
    // The next piece was on its way, and the end of what was read is read again.
    assert.deepEqual([read, watch.end().reads], [{ ok: true, found: 'more' }, 3]);
    assert.ok(index.entries < 4, `${index.entries} entries`);
    assert.deepEqual(await index.readOn(), { ok: true, found: 'more' });
    assert.deepEqual([index.entries, index.notes], [32, []]);
  });

  it('keeps of a large file the places of its lines alone', async () => {
    const text = 'x'.repeat(sized(3 * 2 ** 20, 2 ** 14));
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
    assert.ok(most > 100 * text.length);
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
