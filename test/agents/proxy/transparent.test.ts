import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, it } from 'mocha';
import { startDemoAgents } from '../../../agents/demo/start.ts';
import { closeRawAgents, startRawAgent, until, type RawAgent } from '../support/raw-agent.ts';
import { closeProxies, converse, lineOf, record, Tape, type Piece, type Seen } from './support.ts';

const OK = 'HTTP/1.1 200 OK\r\n';
/** Far deeper than the 200 levels that are read. */
const DEEP = '['.repeat(5_000) + ']'.repeat(5_000);
const pause = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 30));
const post = (body: string, more = ''): string =>
  `POST /a?b=c HTTP/1.1\r\nhOST: HERE\r\nX-b: 2\r\nx-A: 1\r\nX-b: 3\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`;

interface Row {
  readonly name: string;
  readonly request?: readonly Piece[];
  answer(socket: Socket, index: number): void | Promise<void>;
  readonly leave?: 'half';
  readonly end: Seen['end'];
  /** What the trace says: each call in a line, and all notes. */
  readonly calls: readonly string[];
  readonly notes?: readonly string[];
}

const NOTE_LOOSE = 'The head of the reply breaks the grammar of HTTP/1.1 (RFC 9112); some callers refuse it';
const NOTE_FOREIGN = 'The reply is not valid HTTP; it was forwarded unchanged';

const ROWS: readonly Row[] = [
  {
    name: 'headers in their order and spelling, doubled ones too',
    answer: socket =>
      void socket.end(
        `${OK}x-Z: 1\r\nSET-cookie: a=1\r\nSet-Cookie: b=2\r\nX-a:  spaced \r\ncontent-length: 4\r\n\r\nOK|1`,
      ),
    end: 'ended',
    calls: ['aicf · LIST · ok'],
  },
  {
    name: 'chunks with their sizes, extensions and trailers',
    async answer(socket) {
      socket.write(`${OK}Transfer-Encoding: chunked\r\nTrailer: X-End\r\n\r\n003;x="y"\r\nOK|\r\n`);
      await pause();
      socket.write('A\r\n0123456789\r\n0\r\nX-End: yes\r\n\r\n');
    },
    end: 'open',
    calls: ['aicf · LIST · ok'],
    notes: ['The reply ended with trailers: X-End: yes'],
  },
  {
    name: 'a body that the end of the connection ends',
    answer: socket => void socket.end(`HTTP/1.0 200 Fine\r\n\r\nERR|404|none`),
    end: 'ended',
    calls: ['aicf · LIST · error · 404'],
  },
  {
    name: 'interim replies before the last one',
    async answer(socket) {
      socket.write('HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n');
      await pause();
      socket.write(`HTTP/1.1 100 Continue\r\n\r\n${OK}Content-Length: 2\r\n\r\nOK`);
    },
    end: 'open',
    calls: ['aicf · LIST · ok'],
  },
  {
    name: 'a reply to HEAD, which has a length and no body, and the next one',
    request: ['HEAD / HTTP/1.1\r\nHost: HERE\r\n\r\n', post('LIST')],
    answer: socket =>
      void socket.write(`${OK}Content-Length: 4\r\n\r\n${'OK|1'.slice(socket.bytesWritten === 0 ? 4 : 0)}`),
    end: 'open',
    calls: ['other · HEAD / · ok', 'aicf · LIST · ok'],
  },
  {
    name: 'two requests at once',
    request: [`${post('LIST')}${post('INFO|a')}`],
    answer: async (socket, index) => {
      if (index % 2 === 0) return void socket.write(`${OK}Content-Length: 2\r\n\r\nOK`);
      await pause();
      socket.write(`${OK}Content-Length: 9\r\n\r\nERR|404|x`);
    },
    end: 'open',
    calls: ['aicf · LIST · ok', 'aicf · INFO a · error · 404'],
  },
  {
    name: 'a request in pieces and chunks',
    request: [
      'POST / HTTP/1.1\r\nHo',
      'st: HERE\r\nTransfer-Encoding: chunked\r\n',
      '\r\n2\r\nLI\r',
      '\n2\r\nST\r\n0\r\n\r\n',
    ],
    answer: socket => void socket.end(`${OK}Content-Length: 5\r\n\r\nTOOLS`),
    end: 'ended',
    calls: ['aicf · LIST · ok'],
  },
  {
    name: 'values that nest deeper than readers go, both ways',
    request: [post(`CALL|t|${DEEP}`), post(`{"jsonrpc":"2.0","id":1,"method":"m","params":${DEEP}}`)],
    answer(socket, index) {
      const body = index % 2 === 0 ? `OK|${DEEP}` : `{"jsonrpc":"2.0","id":1,"result":${DEEP}}`;
      socket.write(`${OK}Content-Length: ${body.length}\r\n\r\n${body}`);
    },
    end: 'open',
    calls: ['aicf · t · ok', 'json-rpc · m · ok'],
  },
  {
    name: 'half of a connection, which the caller ends before the answer',
    answer: async socket => {
      socket.allowHalfOpen = true;
      await pause();
      socket.end(`${OK}Content-Length: 2\r\n\r\nOK`);
    },
    leave: 'half',
    end: 'ended',
    calls: ['aicf · LIST · ok'],
  },
  {
    name: 'an upgrade, and what follows it both ways',
    request: [post('', 'Connection: upgrade\r\nUpgrade: x\r\n'), { after: 'hello', text: 'ping' }],
    answer: socket => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nhello');
      socket.on('data', () => socket.end('pong'));
    },
    end: 'ended',
    calls: ['other · POST /a · ok'],
    notes: ['The connection switches to another protocol here; its bytes are recorded unchanged'],
  },
  {
    name: 'an agent that closes without an answer',
    answer: socket => void socket.end(),
    end: 'ended',
    calls: ['aicf · LIST · error · ECONNRESET'],
  },
  {
    name: 'an agent that resets the connection',
    answer: socket => void socket.resetAndDestroy(),
    end: 'reset',
    calls: ['aicf · LIST · error · ECONNRESET'],
  },
  {
    name: 'an agent that resets in the middle of its body',
    async answer(socket) {
      socket.write(`${OK}Content-Length: 100\r\n\r\nOK|`);
      await pause();
      socket.resetAndDestroy();
    },
    end: 'reset',
    calls: ['aicf · LIST · incomplete · ECONNRESET'],
  },
  {
    name: 'an agent that drops in the middle of its body',
    answer: socket => void socket.end(`${OK}Content-Length: 100\r\n\r\nOK|abc`),
    end: 'ended',
    calls: ['aicf · LIST · incomplete · ECONNRESET'],
  },
  {
    name: 'an agent that hangs before its head',
    answer: () => undefined,
    end: 'open',
    calls: ['aicf · LIST · cancelled · CANCELLED'],
  },
  {
    name: 'an agent that hangs in its head',
    answer: socket => void socket.write('HTTP/1.1 200'),
    end: 'open',
    calls: ['aicf · LIST · cancelled · CANCELLED'],
    notes: [NOTE_FOREIGN],
  },
  {
    name: 'an agent that hangs in its body',
    answer: socket => void socket.write(`${OK}Content-Length: 9\r\n\r\nOK|`),
    end: 'open',
    calls: ['aicf · LIST · cancelled · CANCELLED'],
  },
  {
    name: 'an agent that is no HTTP server',
    answer: socket => void socket.end('+PONG\r\nOK|1\r\n'),
    end: 'ended',
    calls: ['aicf · LIST · error · NOT_HTTP'],
    notes: [NOTE_FOREIGN],
  },
  {
    name: 'an agent that speaks another version of HTTP',
    answer: socket => void socket.end('HTTP/2.0 200 OK\r\nContent-Length: 4\r\n\r\nOK|1'),
    end: 'ended',
    calls: ['aicf · LIST · error · NOT_HTTP'],
    notes: [NOTE_FOREIGN],
  },
  {
    name: 'lines that end in LF alone, and the next reply',
    request: [post('LIST'), post('LIST')],
    answer: socket => void socket.write('HTTP/1.1 200 OK\nX-a: 1\nContent-Length: 9\n\nERR|404|a'),
    end: 'open',
    calls: ['aicf · LIST · error · 404', 'aicf · LIST · error · 404'],
    notes: [NOTE_LOOSE, NOTE_LOOSE],
  },
  {
    name: 'a header over two lines and one with a blank before its colon, and the next reply',
    request: [post('LIST'), post('LIST')],
    answer: socket =>
      void socket.write(`${OK}X-a: one\r\n  two\r\nContent-Length: 9\r\nX-b : c\r\n\r\nERR|404|a`),
    end: 'open',
    calls: ['aicf · LIST · error · 404', 'aicf · LIST · error · 404'],
    notes: [NOTE_LOOSE, NOTE_LOOSE],
  },
  {
    name: 'a reply longer than it says',
    answer: socket => void socket.end(`${OK}Content-Length: 2\r\n\r\nOK|and more`),
    end: 'ended',
    calls: ['aicf · LIST · ok'],
    notes: [NOTE_FOREIGN],
  },
  {
    name: 'bytes that are not UTF-8',
    answer: socket => void socket.end(Buffer.from(`${OK}Content-Length: 6\r\n\r\nOK|\xff\xe4\xbd`, 'latin1')),
    end: 'ended',
    calls: ['aicf · LIST · ok'],
  },
];

function startRow(row: Row): Promise<RawAgent> {
  return startRawAgent((socket, index) => row.answer(socket, index));
}

/** What an agent was sent, its name left out. */
function requestsTo({ requests, port }: RawAgent): readonly string[] {
  return requests.map(request => request.replaceAll(`127.0.0.1:${port}`, 'HERE'));
}

describe('a recording in front of an agent', () => {
  afterEach(async () => {
    await closeProxies();
    await closeRawAgents();
  });

  for (const row of ROWS) {
    it(`passes ${row.name}`, async () => {
      const [plain, recorded] = await Promise.all([startRow(row), startRow(row)]);
      const tape = new Tape();
      const proxy = await record(recorded.origin, tape);
      const request = row.request ?? [post('LIST')];
      const send = (port: number): Promise<Seen> =>
        converse(
          port,
          request.map(piece =>
            typeof piece === 'string' ? piece.replaceAll('HERE', `127.0.0.1:${port}`) : piece,
          ),
          row.leave,
        );
      const [direct, passed] = await Promise.all([send(plain.port), send(proxy.port)]);
      assert.deepEqual(passed, direct);
      assert.equal(passed.end, row.end);
      // The agent got the same bytes, its own name included.
      assert.deepEqual(requestsTo(recorded), requestsTo(plain));
      await proxy.close();
      assert.deepEqual(tape.calls().map(lineOf), row.calls);
      assert.deepEqual(
        tape.calls().flatMap(node => node.notes),
        row.notes ?? [],
      );
    });
  }
  it('passes what the demo agents of every protocol answer, byte for byte', async () => {
    const demo = await startDemoAgents();
    try {
      const rpc = (method: string, params: string): string =>
        `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`;
      const asked: Readonly<Record<string, string>> = {
        toolbox: 'CALL|math.add|1|2',
        analyst:
          '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:1],[s:msg_type]:[s:tool_call],[s:tool]:[s:math.add],[s:params]:[d:]]',
        storyteller: '{"input":[{"role":"user","type":"message","content":[{"type":"text","text":"hi"}]}]}',
        oracle: '{"model":"m","input":"hi","stream":true}',
        librarian: rpc('tools/list', '{}'),
        courier: rpc('courier::help', '{}'),
        curator: rpc('curator::help', '{}'),
        herald: rpc('message/send', '{"message":{"messageId":"m","role":"user","parts":[]}}'),
        chain: rpc('tools/call', '{"name":"ask","arguments":{"question":"?"}}'),
      };
      const compare = async (name: string, body: string): Promise<void> => {
        const url = new URL(demo.addresses.get(name) ?? '');
        const proxy = await record(url.origin, new Tape());
        const send = async (port: number): Promise<Seen> => {
          const head = `POST ${url.pathname} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nConnection: close\r\n`;
          const seen = await converse(
            port,
            [`${head}Content-Length: ${body.length}\r\n\r\n${body}`],
            'never',
            500,
          );
          return { ...seen, bytes: withoutChance(seen.bytes) };
        };
        const [direct, passed] = await Promise.all([send(Number(url.port)), send(proxy.port)]);
        assert.match(direct.bytes, /^HTTP\/1\.1 200 OK\r\n/, name);
        assert.deepEqual(passed, direct, name);
      };
      await Promise.all(Object.entries(asked).map(([name, body]) => compare(name, body)));
    } finally {
      await demo.close();
    }
  });

  it('tells the agent when its caller hangs up', async () => {
    const agent = await startRawAgent(async socket => {
      socket.write(`${OK}\r\n`);
      while (!socket.destroyed) {
        socket.write('STREAM|x\n');
        await pause();
      }
    });
    const tape = new Tape();
    const proxy = await record(agent.origin, tape);
    const caller = connect({ port: proxy.port, host: '127.0.0.1' });
    caller.write(post('LIST').replace('HERE', `localhost:${proxy.port}`));
    await once(caller, 'data');
    caller.destroy();
    await until('the agent hears it', () => agent.countSockets() === 0);
    await until('it is recorded', () => tape.calls()[0]?.status === 'cancelled');
    assert.deepEqual(tape.calls().map(lineOf), ['aicf · LIST · cancelled · CANCELLED']);
  });
});

/** Times and ids differ from run to run. */
function withoutChance(bytes: string): string {
  return bytes
    .replace(/^Date: .*$/m, 'Date: now')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
    .replace(/(?<=[-_"])[0-9a-f]{8,64}(?=[_"])/g, 'ID')
    .replace(/"(created_at|completed_at|timestamp)":(?:\d+(?:\.\d+)?|"[^"]*")/g, '"$1":0');
}
