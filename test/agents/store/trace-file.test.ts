import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, open, readFile, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { openTraceFile } from '../../../agents/store/trace-file.ts';
import type { TraceEvent } from '../../../core/events/events.ts';
import { until } from '../support/raw-agent.ts';
import { parseTraceFile } from '../../support/at-once.ts';
import { sized } from '../../support/size.ts';

const HEADER = '{"format":"agenttrace","version":1,"producer":"parley 0"}\n';
const NOTE: TraceEvent = { type: 'note', call: 'c', at: 1, text: 'x' };
const LINE = '{"type":"note","call":"c","at":1,"text":"x"}\n';

describe('a trace file', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-'));
    path = join(folder, 't.agenttrace.jsonl');
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function append(...events: readonly TraceEvent[]): Promise<unknown> {
    const opened = await openTraceFile(path, 'parley 0');
    if (!opened.ok) return opened.message;
    for (const event of events) opened.file.write(event);
    return opened.file.close();
  }

  it('is full while more waits to be written than may, and is free then', async () => {
    const opened = await openTraceFile(path, 'parley 0', { maxWaiting: 1_000 });
    assert.ok(opened.ok);
    const { file } = opened;
    const long: TraceEvent = { ...NOTE, text: 'x'.repeat(1_000) };
    file.write(long);
    const written = file.flush();
    assert.equal(file.isFull, true);
    await new Promise<void>(resolve => file.whenFree(resolve));
    assert.deepEqual([file.isFull, await written], [false, undefined]);
    assert.equal((await readFile(path, 'utf8')).length, HEADER.length + LINE.length + 999);
    let isCalled = false;
    file.whenFree(() => (isCalled = true));
    assert.deepEqual([isCalled, await file.close()], [true, undefined]);
  });

  it('loses what a full disk does not accept, and no later line; this is reported at once', async () => {
    const reported: string[] = [];
    const opened = await openTraceFile(path, 'parley 0', { notify: message => reported.push(message) });
    assert.ok(opened.ok);
    const { file } = opened;
    const other = await open(path);
    const full = Object.assign(new Error('full'), { code: 'ENOSPC' });
    const { mock: write } = mock.method(Object.getPrototypeOf(other) as FileHandle, 'write', refuse);
    async function refuse(this: FileHandle, page: Buffer, from: number): Promise<{ bytesWritten: number }> {
      if (from > 0) throw full;
      await this.appendFile(page.subarray(0, 20));
      return { bytesWritten: 20 };
    }
    try {
      file.write(NOTE);
      await file.flush();
      const advice = 'check that the disk has space and that the file is writable';
      const begun = `The trace file ${path} cannot be written (ENOSPC): new events are missing from it; ${advice}`;
      assert.deepEqual(reported, [begun]);
      write.mockImplementation(() => Promise.reject(full));
      file.write(NOTE);
      file.write(NOTE);
      await file.flush();
      assert.deepEqual(reported, [begun]);
    } finally {
      write.restore();
    }
    file.write(NOTE);
    await file.flush();
    file.write(NOTE);
    assert.match((await file.close()) ?? '', /^The trace file .* misses 3 events \(ENOSPC\); check that /);
    assert.deepEqual(reported.slice(1), [`The trace file ${path} is written again; it misses 3 events`]);
    await other.close();
    assert.equal(await readFile(path, 'utf8'), `${HEADER}${LINE.slice(0, 20)}\n${LINE}${LINE}`);
  });

  it('is written line by line, and goes on when it is opened again', async () => {
    assert.equal(await append(NOTE, NOTE), undefined);
    assert.equal(await append(NOTE), undefined);
    assert.equal(await readFile(path, 'utf8'), HEADER + LINE + LINE + LINE);
  });

  it('holds an event before it is closed', async () => {
    const opened = await openTraceFile(path, 'parley 0');
    assert.ok(opened.ok);
    opened.file.write(NOTE);
    await until('the event is in the file', () => readFileSync(path, 'utf8') === HEADER + LINE);
    assert.equal(await opened.file.close(), undefined);
  });

  it('holds every event in its order, however many and however long they are', async () => {
    const lengths = [
      1,
      20_000,
      3,
      70_000,
      5,
      sized(400_000, 70_001),
      7,
      sized(3_000_000, 140_000),
      9,
      ...Array<number>(60).fill(sized(50_000, 500)),
      11,
    ];
    const events = lengths.flatMap((length, at): TraceEvent[] =>
      ['a', 'é', '語', '\u{1f600}'].map(character => ({
        type: 'note',
        call: `c${at}`,
        at: 1,
        text: character.repeat(length),
      })),
    );
    const opened = await openTraceFile(path, 'parley 0');
    assert.ok(opened.ok);
    for (const [at, event] of events.entries()) {
      opened.file.write(event);
      // Some are written while others are on their way.
      if (at % 40 === 39) await opened.file.flush();
      else if (at % 7 === 6) await new Promise(resolve => setImmediate(resolve));
    }
    assert.equal(await opened.file.close(), undefined);
    const lines = events.map(event => `${JSON.stringify(event)}\n`);
    assert.ok((await readFile(path, 'utf8')) === HEADER + lines.join(''), 'The file holds something else');
  });

  it('holds every line of several that write to it, whole', async () => {
    assert.equal(await append(), undefined);
    const texts = ['a', 'b', 'c'].flatMap(letter =>
      Array<string>(8).fill(letter.repeat(sized(2_000_000, 100_000))),
    );
    await Promise.all(
      ['a', 'b', 'c'].map(letter =>
        append(...texts.filter(text => text.startsWith(letter)).map(text => ({ ...NOTE, text }))),
      ),
    );
    const { events, notes } = parseTraceFile(await readFile(path, 'utf8'));
    const stored = events.map(event => (event.type === 'note' ? event.text : ''));
    assert.deepEqual([notes, stored.length], [[], texts.length]);
    assert.ok(stored.toSorted().every((text, at) => text === texts[at]));
  });

  it('closes a torn last line before it goes on', async () => {
    await writeFile(path, `${HEADER}{"type":"no`);
    assert.equal(await append(NOTE), undefined);
    assert.equal(await readFile(path, 'utf8'), `${HEADER}{"type":"no\n${LINE}`);
  });

  it('is no other file, and no newer one', async () => {
    await writeFile(path, 'dear diary\n');
    assert.equal(
      await append(NOTE),
      `'${path.slice(0, 40)}…' cannot take the trace; choose another file. This is not a trace file: its first line should be {"format":"agenttrace","version":1} but is 'dear diary'`.replace(
        `'${path.slice(0, 40)}…'`,
        path.length > 40 ? `'${path.slice(0, 40)}…'` : `'${path}'`,
      ),
    );
    assert.equal(await readFile(path, 'utf8'), 'dear diary\n');
    await writeFile(path, '{"format":"agenttrace","version":2}\n');
    assert.match(
      String(await append(NOTE)),
      /has version 2 and this program reads up to version 1; update it/,
    );
    path = join(folder, 'none', 'x');
    assert.match(String(await append(NOTE)), /cannot be written \(ENOENT\); choose another file$/);
  });
});
