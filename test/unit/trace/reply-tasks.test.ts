import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ReplyReading } from '../../../protocols/recognise/reply.ts';
import { LONGEST_READ } from '../../../protocols/recognise/request.ts';

const ID = 'tâche 0198c7f2-5d1e-7a4b-9c3d-1f2e3d4c5b6a';
const OTHER = '1198c7f2-5d1e-7a4b-9c3d-1f2e3d4c5b6a';
const NAMED = { scheme: 'a2a', trace: ID };

const STREAM = [{ name: 'Content-Type', value: 'text/event-stream; charset=utf-8' }];
const BODY = [{ name: 'content-type', value: 'application/json' }];

const task = (id: string): object => ({ id, contextId: 'c', status: { state: 'working' } });
const update = (taskId: string): object => ({ kind: 'artifact-update', taskId, artifact: { parts: [] } });
const words = { kind: 'message', messageId: 'm', parts: [{ kind: 'text', text: 'ä' }] };

function reply(result: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, result });
}

function events(...results: readonly object[]): string {
  return results.map(result => `data: ${reply(result)}\n\n`).join('');
}

/** The names that are known before the end of the reply, and at its end. */
function observe(headers: typeof STREAM, pieces: readonly Uint8Array[]): readonly unknown[] {
  const reading = new ReplyReading(ALL_PROTOCOLS.find('a2a'), { status: 200, line: '200 OK', headers });
  const decoder = new TextDecoder();
  for (const piece of pieces) reading.push(decoder.decode(piece, { stream: true }));
  const before = reading.tasks;
  reading.end();
  return [before, reading.tasks];
}

const bytesOf = (text: string): readonly Uint8Array[] =>
  Array.from(Buffer.from(text), byte => Buffer.of(byte));

describe('the task that a reply of A2A is about', () => {
  it('is reported once, with the event that names it first, however the bytes are split', () => {
    const text = events(words, task(ID), update(ID), update(OTHER));
    assert.deepEqual(observe(STREAM, [Buffer.from(text)]), [[NAMED], [NAMED]]);
    assert.deepEqual(observe(STREAM, bytesOf(text)), [[NAMED], [NAMED]]);
  });

  it('is reported at the end if the last event is not closed, and for a body that is not a stream', () => {
    assert.deepEqual(observe(STREAM, [Buffer.from(events(update(ID)).trimEnd())]), [[], [NAMED]]);
    assert.deepEqual(observe(BODY, bytesOf(reply({ task: task(ID) }))), [[], [NAMED]]);
  });

  it('is not reported for text alone, for a short id, and for what is not a message', () => {
    for (const text of [reply(words), reply(task('7')), '"taskId"', '']) {
      assert.deepEqual(observe(BODY, [Buffer.from(text)]), [[], []]);
      assert.deepEqual(observe(STREAM, [Buffer.from(`data: ${text}\n\n`)]), [[], []]);
    }
  });

  it('is looked for in all of a stream', () => {
    const long = Buffer.from(events({ ...words, parts: [{ kind: 'text', text: 'x'.repeat(LONGEST_READ) }] }));
    const pieces = [long.subarray(0, LONGEST_READ), long.subarray(LONGEST_READ)];
    assert.deepEqual(observe(STREAM, [...pieces, Buffer.from(events(task(ID)))]), [[NAMED], [NAMED]]);
  });
});
