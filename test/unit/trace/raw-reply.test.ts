import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { keepBytes } from '../../../agents/stored-bytes.ts';
import type { TraceEvent } from '../../../core/events/events.ts';
import { printRawReply } from '../../../trace/raw-reply.ts';
import { call } from '../../support/trace-call.ts';

const TYPE = { name: 'content-type', value: 'text/event-stream' };
const TOKEN = { name: 'x-token', value: '[redacted]', redacted: 8 };

function head(direction: 'in' | 'out', line: string): TraceEvent {
  return { type: 'head', call: 'c', at: 1, direction, line, headers: [TYPE, TOKEN] };
}

function wire(direction: 'in' | 'out' | 'stderr', content: string | Uint8Array): TraceEvent {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return { type: 'wire', call: 'c', at: 1, direction, bytes: keepBytes(bytes) };
}

function note(text: string): TraceEvent {
  return { type: 'note', call: 'c', at: 1, text };
}

describe('raw reply', () => {
  it('shows the head and the events as they came, and nothing of the request', () => {
    const events = [
      call('c', 0),
      head('out', 'POST http://127.0.0.1:1/'),
      wire('out', 'CALL|slow.count'),
      head('in', '200 OK'),
      wire('in', 'data: 1\n'),
      wire('stderr', 'busy'),
      wire('in', '\ndata: 2\n\n'),
    ];
    assert.equal(
      printRawReply(events),
      '200 OK\ncontent-type: text/event-stream\nx-token: [redacted]\n\ndata: 1\n\ndata: 2\n\n',
    );
  });

  it('keeps the replies of several requests apart', () => {
    const events = [head('in', '200 OK'), wire('in', '{"id":1}'), head('in', '202 Accepted')];
    const headers = 'content-type: text/event-stream\nx-token: [redacted]';
    assert.equal(printRawReply(events), `200 OK\n${headers}\n\n{"id":1}\n\n202 Accepted\n${headers}`);
  });

  it('joins a character that two chunks share, and says which bytes are none yet', () => {
    const bytes = new TextEncoder().encode('a€');
    const [start, rest] = [wire('in', bytes.subarray(0, 2)), wire('in', bytes.subarray(2))];
    assert.deepEqual(
      [printRawReply([start]), printRawReply([start, rest])],
      ['a\n# 1 more byte is not shown', 'a€'],
    );
  });

  it('dumps what is not UTF-8', () => {
    assert.equal(
      printRawReply([wire('in', 'OK|'), wire('in', Uint8Array.from([0xff, 0]))]),
      '00000000  4f 4b 7c ff 00                                   OK|..',
    );
  });

  it('says how many bytes are not shown', () => {
    const limits = { text: 4, other: 2 };
    assert.deepEqual(
      [
        printRawReply([wire('in', 'STREAM|1')], limits),
        printRawReply([wire('in', Uint8Array.from([1, 0xff, 2]))], limits),
      ],
      [
        'STRE\n# 4 more bytes are not shown',
        `00000000  01 ff${' '.repeat(42)}  ..\n# 1 more byte is not shown`,
      ],
    );
  });

  it('shows what is noted after the last byte', () => {
    const events = [note('The request was changed'), wire('in', '[d:]'), note('It broke off'), note('Look')];
    assert.equal(printRawReply(events), '[d:]\n\n# It broke off\n# Look');
  });

  it('shows nothing where nothing came', () => {
    assert.equal(printRawReply([call('c', 0), wire('out', 'LIST')]), '');
  });
});
