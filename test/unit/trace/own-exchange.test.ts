import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { HeadEvent, WireEvent } from '../../../core/events/events.ts';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { readParts } from '../../../protocols/reply-parts/parts-reader.ts';
import { joinPayload } from '../../../trace/export/payload-text.ts';
import { findOwnExchange } from '../../../trace/own-exchange.ts';

type Payload = readonly (HeadEvent | WireEvent)[];
type Direction = 'out' | 'in';

const head = (direction: Direction, line: string, exchange?: number): HeadEvent => ({
  type: 'head',
  call: 'c',
  at: 1,
  direction,
  line,
  headers: [],
  ...(exchange === undefined ? {} : { exchange }),
});
const wire = (direction: Direction, value: unknown, exchange?: number): WireEvent => ({
  type: 'wire',
  call: 'c',
  at: 2,
  direction,
  bytes: { text: typeof value === 'string' ? value : JSON.stringify(value) },
  ...(exchange === undefined ? {} : { exchange }),
});
const sse = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const rpc = (id: number, method: string): object => ({ jsonrpc: '2.0', id, method, params: {} });

function own(protocol: string, payload: Payload): readonly unknown[] {
  const { request, reply } = findOwnExchange(payload, ALL_PROTOCOLS.find(protocol));
  return [joinPayload(request, 'out'), joinPayload(reply, 'in')];
}

/** A call of a tool of MCP: the server asks its client before it answers, and logs after it was answered. */
const ASKING: Payload = [
  head('out', 'POST /mcp', 1),
  wire('out', rpc(0, 'initialize'), 1),
  head('in', '200 OK', 1),
  wire('in', sse({ jsonrpc: '2.0', id: 0, result: { protocolVersion: 'v' } }), 1),
  head('out', 'POST /mcp', 2),
  wire('out', rpc(1, 'tools/call'), 2),
  head('in', '200 OK', 2),
  wire('in', sse(rpc(7, 'roots/list')), 2),
  head('out', 'POST /mcp', 3),
  wire('out', { jsonrpc: '2.0', id: 7, result: { roots: [] } }, 3),
  head('in', '202 Accepted', 3),
  wire('in', sse({ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'done' }] } }), 2),
];

describe('the exchange of a call', () => {
  it('is the last one of a connection that asked for itself before', () => {
    const payload = [
      head('out', 'POST /aio'),
      wire('out', rpc(1, 'a::help')),
      head('in', '200 OK'),
      wire('in', '{"id":1}'),
      head('out', 'POST /aio'),
      wire('out', rpc(2, 'a::tools.call')),
      head('in', '200 OK'),
      wire('in', '{"id"'),
      wire('in', ':2}'),
    ];
    assert.deepEqual(own('aio', payload), [
      { text: JSON.stringify(rpc(2, 'a::tools.call')) },
      { text: '{"id":2}' },
    ]);
  });

  it('is that of the request, also where an answer to the agent was sent after it', () => {
    const [request, reply] = own('mcp', ASKING) as readonly { readonly text: string }[];
    assert.deepEqual(request, { text: JSON.stringify(rpc(1, 'tools/call')) });
    assert.match(reply?.text ?? '', /roots\/list.*done/s);
  });

  it('has all of its parts, although another exchange begins in between', () => {
    const { parts } = readParts(ALL_PROTOCOLS.find('mcp'), ASKING, 'ended');
    assert.deepEqual(
      parts.map(({ kind, title, text }) => [kind, title, text]),
      [
        ['exchange', 'initialize', '{"protocolVersion":"v"}'],
        ['request', 'roots/list', '{}'],
        ['result', '', 'done'],
      ],
    );
  });

  it('has the whole answer that came over a stream of another call', () => {
    const answer = sse({ jsonrpc: '2.0', id: 1, result: {} });
    const payload = [
      head('out', 'POST /messages', 5),
      wire('out', rpc(1, 'tools/call'), 5),
      wire('in', answer.slice(0, 9), 2),
      wire('in', answer.slice(9), 2),
      head('in', '202 Accepted', 5),
    ];
    assert.deepEqual(own('mcp', payload), [{ text: JSON.stringify(rpc(1, 'tools/call')) }, { text: answer }]);
  });

  it('is empty for a call without payload', () => {
    assert.deepEqual(own('mcp', []), [undefined, undefined]);
    assert.deepEqual(own('other', [wire('in', 'x')]), [undefined, { text: 'x' }]);
  });
});
