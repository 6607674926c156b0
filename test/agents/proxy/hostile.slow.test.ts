import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, it } from 'mocha';
import { gzipSync } from 'node:zlib';
import { ATTACKS } from '../support/attacks.ts';
import { closeRawAgents, reply, startRawAgent, until } from '../support/raw-agent.ts';
import { RPC_ATTACKS } from '../support/rpc-attacks.ts';
import { RecursionGuard } from '../../../agents/proxy/guard.ts';
import { closeProxies, lineOf, record, Tape, wireOf, onSilence } from './support.ts';

/** The behaviour of an agent towards its caller, the request, and what the trace says of it. */
interface Case {
  readonly name: string;
  answer(socket: Socket): void | Promise<void>;
  readonly ask: string;
  readonly line: string;
}

const LIST = 'LIST';
const RPC = '{"jsonrpc":"2.0","id":2,"method":"agent::go"}';
const OK = 'aicf · LIST · ok';
const LOST = 'aicf · LIST · error · ECONNRESET';
const CUT = 'aicf · LIST · incomplete · ECONNRESET';
const LEFT = 'aicf · LIST · cancelled · CANCELLED';

/** What the trace says of each of the attacks on calls. */
const OF_CALLS: Readonly<Record<string, string>> = {
  'closes without an answer': LOST,
  'hangs before its head': LEFT,
  'hangs after its head': LEFT,
  'hangs in the middle of its body': LEFT,
  'drops in the middle of its body': CUT,
  'never ends its body': LEFT,
  'is no HTTP server': 'aicf · LIST · error · NOT_HTTP',
  'upgrades to another protocol': OK,
  'sends an HTML page with 200': 'aicf · LIST · error',
  redirects: 'aicf · LIST · error · HTTP 302',
  'answers from the JSON-RPC endpoint': 'aicf · LIST · error · HTTP 400',
  'speaks AICL': 'aicf · LIST · error',
  'speaks AICF': OK,
  'wants credentials': 'aicf · LIST · error · HTTP 401',
  'sends nothing': OK,
  'sends bytes that are not UTF-8': OK,
};

const AIO = 'aio · go';

const OF_RPC: Readonly<Record<string, string>> = {
  'sends an HTML page with 200': `${AIO} · error`,
  'redirects to elsewhere': `${AIO} · error · HTTP 307`,
  'names no content type': `${AIO} · ok`,
  'begins with a BOM': `${AIO} · ok`,
  'ends in the middle of its JSON': `${AIO} · incomplete`,
  'answers with a status of failure': `${AIO} · error · HTTP 500`,
  'answers twice in one body': `${AIO} · ok`,
  'answers with the id of another request': `${AIO} · ok`,
  'answers without an id': `${AIO} · ok`,
  'drops in the middle of its body': `${AIO} · incomplete · ECONNRESET`,
  'never ends its body': `${AIO} · cancelled · CANCELLED`,
  'sends bytes that are not UTF-8': `${AIO} · ok`,
  'splits its reply at every byte': `${AIO} · ok`,
};

const EVENTS = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n';
const BOMB = gzipSync(Buffer.alloc(2 ** 24));
const MCP_CALL = '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"go","arguments":{}}}';
const MCP = 'mcp · go';

/** What else agents over HTTP do, of every protocol. */
const MORE: readonly Case[] = [
  {
    name: 'takes its time between all bytes of chunks that it ends with CR LF',
    async answer(socket) {
      const whole = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nOK|\r\n1\r\n1\r\n0\r\n\r\n';
      for (const byte of whole) {
        socket.write(byte);
        await new Promise(resolve => setImmediate(resolve));
      }
    },
    ask: LIST,
    line: OK,
  },
  {
    name: 'sends a gzip bomb',
    answer(socket) {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${BOMB.length}\r\n\r\n`);
      socket.end(BOMB);
    },
    ask: LIST,
    line: OK,
  },
  {
    name: 'sends many tiny events and no answer',
    answer: socket => void socket.end(EVENTS + 'data:1\n\n'.repeat(5_000)),
    ask: MCP_CALL,
    line: `${MCP} · incomplete`,
  },
  {
    name: 'ends lines of events by CR',
    answer: socket =>
      void socket.end(`${EVENTS}event: message\rdata: {"jsonrpc":"2.0","id":7,"result":{}}\r\r`),
    ask: MCP_CALL,
    line: `${MCP} · ok`,
  },
  {
    name: 'answers another request first, then this one, then this one again',
    answer: socket =>
      void socket.end(
        `${EVENTS}${[8, 7, 7].map(id => `data: {"jsonrpc":"2.0","id":${id},"result":{}}\n\n`).join('')}`,
      ),
    ask: MCP_CALL,
    line: `${MCP} · ok`,
  },
  {
    name: 'takes a request and never answers it',
    answer: socket => void socket.end('HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n'),
    ask: MCP_CALL,
    line: `${MCP} · ok`,
  },
  {
    name: 'answers with a status that HTTP does not have',
    answer: socket => void socket.end(reply('{}', '999 Odd', 'application/json')),
    ask: MCP_CALL,
    line: `${MCP} · error · HTTP 999`,
  },
  {
    name: 'resets in the middle of a stream',
    async answer(socket) {
      socket.write(`${EVENTS}data: {}\n\n`);
      await new Promise(resolve => setTimeout(resolve, 50));
      socket.resetAndDestroy();
    },
    ask: MCP_CALL,
    line: `${MCP} · incomplete · ECONNRESET`,
  },
];

const CASES: readonly Case[] = [
  ...ATTACKS.map(attack => ({ ...attack, ask: LIST, line: OF_CALLS[attack.name] ?? '' })),
  ...RPC_ATTACKS.map(attack => ({ ...attack, ask: RPC, line: OF_RPC[attack.name] ?? '' })),
  ...MORE,
];

/** A caller reads so much of what never ends, and then hangs up. */
const MAX = 64 * 1024;
interface Heard {
  readonly bytes: string;
  readonly end: 'ended' | 'reset' | 'silent' | 'endless';
}

function observe(port: number, request: string): Promise<Heard> {
  return new Promise(resolve => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const pieces: Buffer[] = [];
    let length = 0;
    const done = (end: Heard['end']): void => {
      silence.stop();
      socket.destroy();
      resolve({
        bytes: Buffer.concat(pieces)
          .subarray(0, end === 'endless' ? MAX : length)
          .toString('latin1'),
        end,
      });
    };
    const silence = onSilence(() => done('silent'));
    socket.on('data', (piece: Buffer) => {
      pieces.push(piece);
      length += piece.length;
      silence.broken();
      if (length > MAX) done('endless');
    });
    socket.on('end', () => done('ended'));
    socket.on('error', () => done('reset'));
    socket.write(request.replaceAll('HERE', `127.0.0.1:${port}`));
  });
}

function countSockets(): number {
  return process.getActiveResourcesInfo().filter(name => name === 'TCPSocketWrap').length;
}

describe('a hostile agent behind a recording', () => {
  afterEach(async () => {
    await closeProxies();
    await closeRawAgents();
  });

  for (const [how, guard] of [
    ['', undefined],
    [', guarded', new RecursionGuard()],
  ] as const)
    for (const attack of CASES) {
      const { name, ask, line } = attack;
      it(`${name}${how}: the caller sees what the agent did, the trace says it, nothing is left open`, async () => {
        const agent = await startRawAgent((socket: Socket) => attack.answer(socket));
        const tape = new Tape();
        const protocol = ask === RPC ? 'aio' : ask === MCP_CALL ? 'mcp' : 'aicf';
        const proxy = await record(agent.origin, tape, { protocol, ...(guard ? { guard } : {}) });
        const before = countSockets();
        const request = `POST /x HTTP/1.1\r\nHost: HERE\r\nContent-Length: ${ask.length}\r\n\r\n${ask}`;
        const [direct, passed] = await Promise.all([
          observe(agent.port, request),
          observe(proxy.port, request),
        ]);
        assert.deepEqual(passed, direct);
        await until('the agent knows that its caller is gone', () => agent.countSockets() === 0);
        await until('no socket is left', () => countSockets() <= before);
        await proxy.close();
        const calls = tape.calls();
        assert.deepEqual(calls.map(lineOf), [line]);
        // The whole of what the caller saw is in the trace, without what frames it.
        const [call] = calls;
        if (call && direct.end !== 'endless') {
          const body = direct.bytes.slice(direct.bytes.indexOf('\r\n\r\n') + 4);
          const stored = Buffer.from(wireOf(call, 'in'), 'utf8').toString('latin1');
          if (!/chunked/.test(direct.bytes) && direct.bytes.startsWith('HTTP/1.1'))
            assert.ok(
              stored === body || wireOf(call, 'in') === body,
              `${stored.length} of ${body.length} bytes`,
            );
        }
      });
    }
});
