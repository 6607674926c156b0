import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { CallSpill } from '../../agents/src/store/call-spill.ts';
import type { TraceEvent } from '../../protocol/src/trace/events.ts';
import { parseTraceFile } from '../../protocol/src/trace/file.ts';
import { until } from './support/raw-agent.ts';

const HEADER = '{"format":"agenttrace","version":1,"producer":"parley 0"}';
const LIMITS = { perCall: 10, files: 2 };

function call(id: string): TraceEvent {
  return { type: 'call', call: id, trace: `of ${id}`, at: 0, agent: 'a', protocol: 'aicf', title: 't' };
}

function head(id: string): TraceEvent {
  return { type: 'head', call: id, at: 1, direction: 'in', line: '200 OK', headers: [] };
}

function wire(id: string, text: string): TraceEvent {
  return { type: 'wire', call: id, at: 2, direction: 'in', bytes: { text } };
}

function end(id: string): TraceEvent {
  return { type: 'end', call: id, at: 3, status: 'ok' };
}

function note(id: string, at: number, text: string): TraceEvent {
  return { type: 'note', call: id, at, text };
}

describe('a call with more on the wire than is kept', () => {
  let folder: string;
  let heard: TraceEvent[];
  let spill: CallSpill;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-'));
    heard = [];
    spill = new CallSpill({ folder, producer: 'parley 0' }, event => heard.push(event), LIMITS);
  });
  afterEach(() => rm(folder, { recursive: true }));

  const fileOf = (id: string): string => join(folder, `${id}.agenttrace.jsonl`);

  function take(...events: readonly TraceEvent[]): void {
    for (const event of events) spill.take(event);
  }

  /** Waits until the file of a call holds its end, and answers its lines. */
  async function linesOf(id: string): Promise<readonly string[]> {
    const read = (): string => (existsSync(fileOf(id)) ? readFileSync(fileOf(id), 'utf8') : '');
    await until(`the trace file of ${id} is whole`, () => read().includes('"type":"end"'));
    return read().trimEnd().split('\n');
  }

  it('is passed on as it is up to the last byte that fits, of both kinds', async () => {
    const bytes: TraceEvent = {
      type: 'wire',
      call: 'c',
      at: 2,
      direction: 'out',
      bytes: { base64: '/w==' },
    };
    // Seven characters in nine bytes, and one byte more.
    const events = [
      call('c'),
      head('c'),
      wire('c', 'Grüße 1'),
      bytes,
      wire('other', 'x'.repeat(20)),
      end('c'),
    ];
    take(...events);
    assert.deepEqual([heard, await readdir(folder)], [events, []]);
  });

  it('has all of it in a trace file, and says how much stands there alone', async () => {
    const first = [call('c'), head('c'), wire('c', '12345678')];
    const rest = [wire('c', 'abc'), note('c', 2, 'odd'), wire('c', '9'), wire('c', 'defg')];
    take(...first, ...rest, end('c'));
    assert.deepEqual(heard, [
      ...first,
      note('c', 2, `What comes from here on is kept in the trace file ${fileOf('c')} alone`),
      note('c', 2, 'odd'),
      note('c', 3, `8 bytes more of this call are in the trace file ${fileOf('c')}, which holds all of it`),
      end('c'),
    ]);
    const lines = await linesOf('c');
    const { events, notes, error } = parseTraceFile(lines.join('\n'));
    assert.deepEqual(
      [lines[0], events, notes, error],
      [HEADER, [...first, ...rest, end('c')], [], undefined],
    );
  });

  it('takes the place of the oldest file where there are enough', async () => {
    for (const [at, id] of ['a', 'b'].entries()) {
      await writeFile(fileOf(id), '');
      await utimes(fileOf(id), at + 1, at + 1);
    }
    await writeFile(join(folder, 'mine.txt'), '');
    take(call('c'), wire('c', 'x'.repeat(11)), end('c'));
    await linesOf('c');
    assert.deepEqual((await readdir(folder)).toSorted(), [
      'b.agenttrace.jsonl',
      'c.agenttrace.jsonl',
      'mine.txt',
    ]);
  });

  it('tells where its file cannot be written', async () => {
    await writeFile(join(folder, 'taken'), '');
    const inFile = { folder: join(folder, 'taken'), producer: 'parley 0' };
    spill = new CallSpill(inFile, event => heard.push(event), LIMITS);
    take(call('c'), wire('c', 'x'.repeat(11)), end('c'));
    await until('it is told', () => heard.length === 5);
    const path = join(folder, 'taken', 'c.agenttrace.jsonl');
    assert.deepEqual(
      heard.at(-1),
      note(
        'c',
        3,
        `The trace file ${path} could not be opened, so 11 bytes of this call are lost; see that its folder is writable`,
      ),
    );
  });
});
