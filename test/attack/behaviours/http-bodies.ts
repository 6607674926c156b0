import { reply } from '../../agents/support/raw-agent.ts';
import type { ProtocolName } from '../../../core/catalog/protocols.ts';
import { MIB } from '../support/measure.ts';
import { typeOf, type Call, type HttpAttack } from '../support/http-agent.ts';
import { drip, EVENTS, flood, head, repeat } from '../support/write.ts';
import type { Socket } from 'node:net';

const ENDS = { end: [0, 1] } as const;
const FAILS = { end: [1] } as const;

/** Protocols whose replies are JSON, alone or in events. */
const JSON_PROTOCOLS: readonly ProtocolName[] = ['json-rpc', 'aio', 'mcp', 'agent-api', 'responses', 'a2a'];
/** One protocol for each reader of text; `aio` and `responses` have those of others. */
const TEXT_PROTOCOLS: readonly ProtocolName[] = ['aicl', 'aicf', 'json-rpc', 'mcp', 'agent-api', 'a2a'];
/** Protocols whose replies may be events. */
const EVENT_PROTOCOLS: readonly ProtocolName[] = ['mcp', 'agent-api', 'responses', 'a2a'];

const end = (socket: Socket, call: Call, body: string | Buffer): void =>
  void socket.end(reply(body, '200 OK', typeOf(call.protocol)));

/** A JSON reply of the protocol with any JSON as its result; in an event where the protocol wants that. */
function around(call: Call, json: string | Buffer): Buffer {
  const [before = '', after = ''] = call.whole('HERE').split('"HERE"');
  return Buffer.concat([before, json, after].map(part => Buffer.from(part)));
}

/** A text in front of, and behind, a value that is nested so deep. */
const nest = (open: string, middle: string, close: string, depth: number): Buffer =>
  Buffer.concat([Buffer.from(open.repeat(depth) + middle), Buffer.from(close.repeat(depth))]);

/** What agents write into bodies, whatever their protocol. */
const TEXTS: readonly HttpAttack[] = [
  {
    name: 'opens lists without an end',
    does: "Sends 20 MB of '['.",
    answer: (socket, call) => end(socket, call, repeat('[', call.size(20_000_000))),
    expected: ENDS,
    isMeasured: true,
    short: 'json-rpc',
  },
  {
    name: 'opens objects without an end',
    does: 'Sends 2 MB of \'{"a":\'.',
    answer: (socket, call) => end(socket, call, repeat('{"a":', call.size(2_000_000))),
    expected: ENDS,
  },
  {
    name: 'opens dictionaries of AICL without an end',
    does: "Sends 2 MB of '[d:[s:a]:'.",
    answer: (socket, call) => end(socket, call, repeat('[d:[s:a]:', call.size(2_000_000))),
    expected: ENDS,
    short: 'aicl',
  },
  {
    name: 'opens lists of AICL without an end',
    does: "Sends 2 MB of '[l:'.",
    answer: (socket, call) => end(socket, call, repeat('[l:', call.size(2_000_000))),
    expected: ENDS,
  },
  {
    name: 'opens lists bit by bit',
    does: "Sends 1 MB of '[' in pieces of 64 bytes, so that a reader that begins anew with each piece never ends.",
    answer: async (socket, call) => {
      socket.write(head(typeOf(call.protocol)));
      const pieces = call.size(MIB) / 64;
      for (let sent = 0; sent < pieces && !socket.destroyed; sent++) {
        socket.write('['.repeat(64));
        if (sent % 8 === 0) await new Promise(resolve => setImmediate(resolve));
      }
      socket.end();
    },
    expected: ENDS,
    short: 'aicf',
  },
  {
    name: 'closes brackets that it never opened',
    does: "Sends 4 MB of ']}'.",
    answer: (socket, call) => end(socket, call, repeat(']}', call.size(4_000_000))),
    expected: ENDS,
  },
  {
    name: 'opens texts without an end',
    does: "Sends 4 MB of '[s:\"'.",
    answer: (socket, call) => end(socket, call, repeat('[s:"', call.size(4_000_000))),
    expected: ENDS,
  },
  {
    name: 'escapes without an end',
    does: 'Sends 4 MB of backslashes in an open string.',
    answer: (socket, call) =>
      end(socket, call, Buffer.concat([Buffer.from('OK|"'), repeat('\\', call.size(4_000_000))])),
    expected: ENDS,
  },
  {
    name: 'sends one long line',
    does: 'Sends a reply with a text of 16 MiB in one line.',
    answer: (socket, call) => end(socket, call, call.whole('x'.repeat(call.size(16 * MIB)))),
    expected: ENDS,
    short: 'agent-api',
  },
  {
    name: 'sends escapes and marks in its text',
    does: 'Sends a result whose text holds escape sequences, bidirectional marks, HTML, Markdown and icons.',
    answer: (socket, call) =>
      end(
        socket,
        call,
        call.whole(
          '\u001b]0;owned\u0007\u001b[2J\u202eevil <img src=x onerror=alert(1)> $(alert) [x](command:y)',
        ),
      ),
    expected: ENDS,
  },
  {
    name: 'mixes two protocols',
    does: 'Sends a line of AICF, a message of AICL, JSON-RPC and events in one body.',
    answer: (socket, call) =>
      end(
        socket,
        call,
        'OK|1\n[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:1],[s:msg_type]:[s:result],[s:data]:[i:1]]\n{"jsonrpc":"2.0","id":1,"result":{}}\ndata: {"x":1}\n\n',
      ),
    expected: ENDS,
    short: 'agent-api',
  },
];

const JSONS: readonly HttpAttack[] = [
  {
    name: 'nests lists',
    does: 'Sends a result of lists 500,000 deep, all of them closed.',
    protocols: JSON_PROTOCOLS,
    answer: (socket, call) => end(socket, call, around(call, nest('[', '1', ']', call.size(500_000)))),
    expected: ENDS,
    short: 'a2a',
  },
  {
    name: 'nests objects',
    does: 'Sends a result of objects 200,000 deep, all of them closed.',
    protocols: JSON_PROTOCOLS,
    answer: (socket, call) => end(socket, call, around(call, nest('{"a":', '1', '}', call.size(200_000)))),
    expected: ENDS,
  },
  {
    name: 'nests a little deeper than is read',
    does: 'Sends a result of lists 201 and of objects 5,000 deep.',
    protocols: JSON_PROTOCOLS,
    answer: (socket, call) => {
      const lists = nest('[', '1', ']', 201).toString();
      end(socket, call, around(call, `[${lists},${nest('{"a":', '1', '}', 5000).toString()}]`));
    },
    expected: ENDS,
    short: 'mcp',
  },
  {
    name: 'sends many members',
    does: 'Sends a result with 200,000 members.',
    protocols: JSON_PROTOCOLS,
    answer: (socket, call) => {
      const members = Array.from({ length: call.size(200_000) }, (_, index) => `"k${index}":${index}`);
      end(socket, call, around(call, `{${members.join(',')}}`));
    },
    expected: ENDS,
    short: 'aio',
  },
  {
    name: 'sends the same member again and again',
    does: 'Sends a result with 200,000 members of one name.',
    protocols: JSON_PROTOCOLS,
    answer: (socket, call) =>
      end(
        socket,
        call,
        around(call, `{${Array.from({ length: call.size(200_000) }, () => '"a":1').join(',')}}`),
      ),
    expected: ENDS,
  },
  {
    name: 'sends names of prototypes',
    does: 'Sends results with the members __proto__, constructor and toString.',
    protocols: JSON_PROTOCOLS,
    answer: (socket, call) =>
      end(
        socket,
        call,
        around(
          call,
          '{"__proto__":{"isError":true,"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":null,"hasOwnProperty":1,"then":1}',
        ),
      ),
    expected: ENDS,
    short: 'json-rpc',
  },
  {
    name: 'sends a number of a million digits',
    does: 'Sends a number of 1 MB.',
    protocols: JSON_PROTOCOLS,
    answer: (socket, call) => end(socket, call, around(call, '9'.repeat(call.size(1_000_000)))),
    expected: ENDS,
  },
  {
    name: 'sends numbers that are too large',
    does: 'Sends 1e999, -1e999 and 1e-999, and an exponent of 1 MB.',
    protocols: JSON_PROTOCOLS,
    answer: (socket, call) =>
      end(socket, call, around(call, `[1e999,-1e999,1e-999,1e${'9'.repeat(call.size(1_000_000))}]`)),
    expected: ENDS,
  },
  {
    name: 'sends half characters',
    does: 'Sends lone surrogates, U+2028, NUL and noncharacters as JSON escapes.',
    protocols: JSON_PROTOCOLS,
    answer: (socket, call) =>
      end(socket, call, around(call, '"\\ud800\\udc00\\ud83d x \\udead\\u0000\\u2028\\ufffe\\u001b[31m"')),
    expected: ENDS,
  },
  {
    name: 'sends the wrong types',
    does: 'Sends null where an object, an object where a text and a list where an id should be.',
    protocols: JSON_PROTOCOLS,
    answer: (socket, call) =>
      end(
        socket,
        call,
        typeOf(call.protocol) === 'text/event-stream'
          ? 'data: {"jsonrpc":2,"id":[],"result":null,"error":[],"object":{},"status":7,"output":{"a":1},"type":null}\n\n'
          : '{"jsonrpc":2,"id":[],"result":null,"error":[],"output":{"a":1},"status":{},"object":7,"type":[]}',
      ),
    expected: ENDS,
    short: 'agent-api',
  },
  {
    name: 'sends a result and an error',
    does: 'Sends a message that is a result and an error at the same time.',
    protocols: ['json-rpc', 'aio', 'mcp'],
    answer: (socket, call) =>
      end(
        socket,
        call,
        `{"jsonrpc":"2.0","id":${call.id},"result":{"a":1},"error":{"code":-1,"message":"both"}}`,
      ),
    expected: ENDS,
  },
  {
    name: 'answers with another id',
    does: 'Answers the requests 77, null, "1" and true, and none of ours.',
    protocols: ['json-rpc', 'aio', 'mcp', 'a2a'],
    answer: (socket, call) =>
      end(
        socket,
        call,
        ['77', 'null', '"other"', 'true']
          .map(id =>
            typeOf(call.protocol) === 'text/event-stream'
              ? `data: {"jsonrpc":"2.0","id":${id},"result":{"a":1}}\n\n`
              : `{"jsonrpc":"2.0","id":${id},"result":{"a":1}}\n`,
          )
          .join(''),
      ),
    expected: ENDS,
    short: 'mcp',
  },
  {
    name: 'answers in a batch',
    does: 'Answers with a list of 50,000 replies, ours among them.',
    protocols: ['json-rpc', 'aio', 'mcp', 'a2a'],
    answer: (socket, call) => {
      const others = Array.from(
        { length: call.size(50_000) },
        (_, id) => `{"jsonrpc":"2.0","id":${id + 1000},"result":{}}`,
      );
      socket.end(
        reply(
          `[${others.join(',')},{"jsonrpc":"2.0","id":${call.id},"result":{}}]`,
          '200 OK',
          'application/json',
        ),
      );
    },
    expected: ENDS,
    short: 'a2a',
  },
  {
    name: 'answers again and again',
    does: 'Answers one request 50,000 times in one body.',
    protocols: ['json-rpc', 'aio', 'mcp', 'agent-api', 'responses', 'a2a'],
    answer: (socket, call) => {
      const whole = `${call.whole('x')}\n`;
      end(socket, call, repeat(whole, call.size(50_000 * whole.length)));
    },
    expected: ENDS,
  },
  {
    name: 'fails with much data',
    does: 'Answers an error whose message holds 1 MB of escapes and whose data has 4 MB.',
    protocols: ['json-rpc', 'aio', 'mcp'],
    answer: (socket, call) =>
      end(
        socket,
        call,
        `{"jsonrpc":"2.0","id":${call.id},"error":{"code":-32000,"message":"${'\\u001b[31m'.repeat(call.size(100_000))}","data":"${'x'.repeat(call.size(4_000_000))}"}}`,
      ),
    expected: FAILS,
    short: 'json-rpc',
  },
];

const STREAMS: readonly HttpAttack[] = [
  {
    name: 'sends an event without an end',
    does: 'Sends one line of an event of 300 MiB.',
    protocols: EVENT_PROTOCOLS,
    answer: async (socket, call) => {
      socket.write(`${EVENTS}data: `);
      await flood(socket, 'x', call.size(300 * MIB));
      socket.end();
    },
    expected: FAILS,
    short: 'a2a',
  },
  {
    name: 'opens lists in an event',
    does: "Sends an event of 20 MB of '['.",
    protocols: EVENT_PROTOCOLS,
    answer: async (socket, call) => {
      socket.write(`${EVENTS}data: `);
      await flood(socket, '[', call.size(20_000_000));
      socket.end('\n\n');
    },
    expected: ENDS,
    short: 'agent-api',
  },
  {
    name: 'sends lines of one event without an end',
    does: 'Sends 1,000,000 data lines that are one event.',
    protocols: EVENT_PROTOCOLS,
    answer: async (socket, call) => {
      socket.write(EVENTS);
      await flood(socket, 'data: x\n', call.size(8_000_000));
      socket.end('\n');
    },
    expected: FAILS,
  },
  {
    name: 'sends tiny events',
    does: 'Sends 200,000 events that say nothing, then its reply.',
    protocols: EVENT_PROTOCOLS,
    answer: async (socket, call) => {
      socket.write(EVENTS);
      await flood(socket, 'data:1\n\n', call.size(1_600_000));
      socket.end(call.whole('fine'));
    },
    expected: ENDS,
    short: 'responses',
  },
  {
    name: 'sends comments alone',
    does: 'Sends 4 MB of comments in a stream of events, and ends.',
    protocols: EVENT_PROTOCOLS,
    answer: async (socket, call) => {
      socket.write(EVENTS);
      await flood(socket, ': keep-alive\n\n', call.size(4_000_000));
      socket.end();
    },
    expected: FAILS,
  },
  {
    name: 'keeps its stream alive',
    does: 'Sends a comment every 20 ms and never answers.',
    protocols: EVENT_PROTOCOLS,
    answer: socket => {
      socket.write(EVENTS);
      return drip(socket, ':\n\n');
    },
    timeout: 2,
    expected: { end: [1], err: /TIMEOUT/ },
  },
  {
    name: 'goes on after its end',
    does: 'Answers, and then sends 100,000 further events.',
    protocols: EVENT_PROTOCOLS,
    answer: async (socket, call) => {
      const text = call.whole('fine');
      socket.write(EVENTS + (text.startsWith('data:') ? text : `data: ${text}\n\n`));
      await flood(socket, 'data: {"type":"x"}\n\n', call.size(2_000_000));
      socket.end();
    },
    expected: ENDS,
  },
  {
    name: 'ends its lines by CR',
    does: 'Sends events whose lines end in CR, in CR LF and in LF by turns.',
    protocols: EVENT_PROTOCOLS,
    answer: (socket, call) => {
      const text = call
        .whole('fine')
        .replace(/^data: /, '')
        .trim();
      socket.end(`${EVENTS}: a\r\revent: message\r\nid: \u0000\r\nretry: 0\rdata: ${text}\r\r`);
    },
    expected: ENDS,
  },
  {
    name: 'names its events at length',
    does: 'Sends an event with a name, an id and a retry of 4 MB each.',
    protocols: EVENT_PROTOCOLS,
    answer: (socket, call) => {
      const long = '9'.repeat(call.size(4_000_000));
      socket.end(`${EVENTS}event: ${long}\nid: ${long}\nretry: ${long}\ndata: {}\n\n`);
    },
    expected: FAILS,
  },
  {
    name: 'sends an event in pieces',
    does: 'Sends an event of 1 MB in pieces of 64 bytes, so that a reader that joins anew with each piece never ends.',
    protocols: EVENT_PROTOCOLS,
    answer: async (socket, call) => {
      socket.write(`${EVENTS}data: `);
      const pieces = call.size(MIB) / 64;
      for (let sent = 0; sent < pieces && !socket.destroyed; sent++) {
        socket.write('x'.repeat(64));
        if (sent % 8 === 0) await new Promise(resolve => setImmediate(resolve));
      }
      socket.end('\n\n');
    },
    expected: FAILS,
  },
];

/** What agents write into the bodies of replies. */
export const BODIES: readonly HttpAttack[] = [
  ...TEXTS.map(attack => ({ ...attack, protocols: TEXT_PROTOCOLS })),
  ...JSONS,
  ...STREAMS,
];
