import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, describe, it } from 'mocha';
import type { Reply } from '../../agents/src/connection.ts';
import type { HttpLimits } from '../../agents/src/http/http-connection.ts';
import { closeRawAgents, reply, startRawAgent, until } from './support/raw-agent.ts';
import { agentAt, connectTo, sendTo } from './support/send.ts';

const AICL = '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:1],[s:msg_type]:[s:result],[s:data]:[i:1]]';
const WHOLE = { aicf: 'OK|1', aicl: AICL } as const;

interface Attack {
  readonly name: string;
  answer(socket: Socket): void | Promise<void>;
  /** URL stands for the agent's address, ORIGIN for its origin, HOST for its host. */
  readonly reply: Reply;
  readonly limits?: Partial<HttpLimits>;
  readonly timeout?: number;
  /** The path of the agent's address. */
  readonly path?: string;
  readonly notes?: readonly string[];
  /** Protocols that the attack is for; both without it. */
  readonly only?: 'aicf' | 'aicl';
}

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 100\r\n\r\n';
const PAGE = '<!DOCTYPE html><html><head><title>Sign in</title></head><body>Hello</body></html>';
const RPC = '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid Request"}}';

const ATTACKS: readonly Attack[] = [
  {
    name: 'closes without an answer',
    answer: socket => void socket.destroy(),
    reply: {
      status: 'error',
      isProtocol: false,
      text: '',
      code: 'ECONNRESET',
      message:
        "Tried POST URL, but the agent closed the connection without an answer; look at the agent's own log",
    },
  },
  {
    name: 'hangs before its head',
    answer: () => undefined,
    timeout: 400,
    reply: {
      status: 'error',
      isProtocol: false,
      text: '',
      code: 'TIMEOUT',
      message: "Tried POST URL, but no answer began within 400 ms; wait for the agent or raise its 'timeout'",
    },
  },
  {
    name: 'hangs after its head',
    answer: socket => void socket.write(HEAD),
    limits: { idle: 400 },
    reply: {
      status: 'incomplete',
      isProtocol: false,
      text: '',
      code: 'TIMEOUT',
      message:
        "Tried POST URL: 200 OK and 0 bytes came, then nothing more for 400 ms; what came is kept, wait for the agent or raise its 'timeout'",
    },
  },
  {
    name: 'hangs in the middle of its body',
    answer: socket => void socket.write(`${HEAD}ERR|500|bro`),
    limits: { idle: 400 },
    only: 'aicf',
    reply: {
      status: 'incomplete',
      isProtocol: true,
      text: 'ERR|500|bro',
      code: 'TIMEOUT',
      message:
        "Tried POST URL: 200 OK and 11 bytes came, then nothing more for 400 ms; what came is kept, wait for the agent or raise its 'timeout'",
    },
  },
  {
    name: 'drops in the middle of its body',
    answer: socket => void socket.end(`${HEAD}OK|abc`),
    only: 'aicf',
    reply: {
      status: 'incomplete',
      isProtocol: true,
      text: 'OK|abc',
      code: 'ECONNRESET',
      message:
        'Tried POST URL: 200 OK and 6 bytes came, then the connection broke off; what came is kept, send again for the rest',
    },
  },
  {
    name: 'never ends its body',
    async answer(socket) {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      while (!socket.destroyed) {
        socket.write('O'.repeat(512));
        await new Promise(resolve => setTimeout(resolve, 2));
      }
    },
    limits: { maxBytes: 5000 },
    reply: {
      status: 'incomplete',
      isProtocol: false,
      text: 'O'.repeat(5000),
      code: 'TOO_LONG',
      message:
        'Tried POST URL: the reply is longer than 5000 bytes and was cut there; ask the agent for less',
    },
  },
  {
    name: 'is no HTTP server',
    answer: socket => void socket.end('+PONG\r\nOK|1\r\n'),
    reply: {
      status: 'error',
      isProtocol: false,
      text: '+PONG\r\nOK|1\r\n',
      code: 'HPE_INVALID_CONSTANT',
      message:
        "Tried POST URL, but what came is not valid HTTP (HPE_INVALID_CONSTANT); check that the agent's url and port are those of an HTTP server",
    },
  },
  {
    name: 'upgrades to another protocol',
    answer: socket =>
      void socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
    reply: {
      status: 'error',
      isProtocol: false,
      text: '',
      code: 'ECONNRESET',
      message:
        "Tried POST URL, but the agent closed the connection without an answer; look at the agent's own log",
    },
  },
  {
    name: 'sends an HTML page with 200',
    answer: socket => void socket.end(reply(PAGE, '200 OK', 'text/html')),
    only: 'aicf',
    path: '/',
    reply: {
      status: 'error',
      isProtocol: false,
      text: PAGE,
      code: 'HTTP 200',
      message:
        "Tried POST URL: 200 OK came with an HTML page ('Sign in') and no AICF-RPC 1.0 reply; the AICF endpoint would be ORIGIN/aip/v1/aicf; put it into the agent's url",
    },
  },
  {
    name: 'redirects',
    answer: socket =>
      void socket.end(
        'HTTP/1.1 302 Found\r\nLocation: http://other.example/?token=abc\r\nContent-Length: 0\r\n\r\n',
      ),
    only: 'aicl',
    reply: {
      status: 'error',
      isProtocol: false,
      text: '',
      code: 'HTTP 302',
      message:
        "Tried POST URL: 302 Found came with an empty body and no LightAICL 1.0 reply; it redirects to 'http://other.example/?token=[redacted]', and redirects are not followed; put that address into the agent's url if you trust it",
    },
  },
  {
    name: 'answers from the JSON-RPC endpoint',
    answer: socket => void socket.end(reply(RPC, '400 Bad Request', 'application/json')),
    only: 'aicf',
    path: '/aip/v1/rpc',
    reply: {
      status: 'error',
      isProtocol: false,
      text: RPC,
      code: 'HTTP 400',
      message:
        "Tried POST URL: 400 Bad Request came with a JSON-RPC reply ('Invalid Request') and no AICF-RPC 1.0 reply; the AICF endpoint would be ORIGIN/aip/v1/aicf; put it into the agent's url",
    },
  },
  {
    name: 'speaks AICL',
    answer: socket => void socket.end(reply(AICL)),
    only: 'aicf',
    reply: {
      status: 'error',
      isProtocol: false,
      text: AICL,
      code: 'HTTP 200',
      message: `Tried POST URL: 200 OK came with an AICL message and no AICF-RPC 1.0 reply; set the agent's "protocol" to "aicl"`,
    },
  },
  {
    name: 'speaks AICF',
    answer: socket => void socket.end(reply('OK|1')),
    only: 'aicl',
    reply: {
      status: 'error',
      isProtocol: false,
      text: 'OK|1',
      code: 'HTTP 200',
      message: `Tried POST URL: 200 OK came with an AICF reply and no LightAICL 1.0 reply; set the agent's "protocol" to "aicf"`,
    },
  },
  {
    name: 'wants credentials',
    answer: socket =>
      void socket.end(reply('{"error":"Missing API key"}', '401 Unauthorized', 'application/json')),
    only: 'aicf',
    reply: {
      status: 'error',
      isProtocol: false,
      text: '{"error":"Missing API key"}',
      code: 'HTTP 401',
      message:
        "Tried POST URL: 401 Unauthorized came with JSON ('Missing API key') and no AICF-RPC 1.0 reply; it wants other credentials; set the agent's 'headers', such as Authorization",
    },
  },
  {
    name: 'sends nothing',
    answer: socket => void socket.end(reply('')),
    only: 'aicl',
    reply: {
      status: 'error',
      isProtocol: false,
      text: '',
      code: 'HTTP 200',
      message:
        'Tried POST URL: 200 OK came with an empty body and no LightAICL 1.0 reply; check that an AICL agent runs at this address',
    },
  },
  {
    name: 'sends bytes that are not UTF-8',
    answer: socket => void socket.end(reply(Buffer.from([0x4f, 0x4b, 0x7c, 0xff, 0xe4, 0xbd]))),
    only: 'aicf',
    notes: ['The reply is not UTF-8; what could not be read shows as U+FFFD'],
    reply: { status: 'ok', isProtocol: true, text: 'OK|\u{fffd}\u{fffd}' },
  },
];

describe('an agent that misbehaves', () => {
  afterEach(closeRawAgents);

  for (const protocol of ['aicf', 'aicl'] as const) {
    for (const attack of ATTACKS.filter(each => (each.only ?? protocol) === protocol)) {
      it(`${protocol}: ${attack.name}: one sentence, what came is kept, and the next request works`, async () => {
        const agent = await startRawAgent((socket, index) =>
          index === 0 ? attack.answer(socket) : void socket.end(reply(WHOLE[protocol])),
        );
        const url = `${agent.origin}${attack.path ?? '/aip/v1/aicf'}`;
        const connection = connectTo(agentAt(protocol, url), attack.limits);
        const { timeout } = attack;
        const sent = await sendTo(connection, 'LIST', timeout === undefined ? {} : { timeout });
        const message = attack.reply.message?.replace('URL', url).replace('ORIGIN', agent.origin);
        assert.deepEqual(sent.reply, { ...attack.reply, ...(message === undefined ? {} : { message }) });
        assert.deepEqual(
          sent.heard.filter(each => each.startsWith('note')),
          (attack.notes ?? []).map(note => `note: ${note}`),
        );
        const next = await sendTo(connection, 'LIST');
        assert.deepEqual(next.reply, { status: 'ok', isProtocol: true, text: WHOLE[protocol] });
        await until('the connection is closed', () => agent.countSockets() === 0);
      });
    }
  }

  it('is not there: refused', async () => {
    const port = await findFreePort();
    const sent = await sendTo(connectTo(agentAt('aicf', `http://127.0.0.1:${port}/`)), 'LIST');
    // Nothing was on the wire.
    assert.deepEqual(sent.heard, []);
    assert.deepEqual(sent.reply, {
      status: 'error',
      isProtocol: false,
      text: '',
      code: 'ECONNREFUSED',
      message: `Tried POST http://127.0.0.1:${port}/, but nothing listens at 127.0.0.1:${port} (connection refused); start the agent or correct its url`,
    });
  });

  it('does not speak TLS', async () => {
    const agent = await startRawAgent(() => undefined);
    const server = createServer(socket => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const sent = await sendTo(connectTo(agentAt('aicf', `https://127.0.0.1:${port}/`)), 'LIST');
    server.close();
    await agent.close();
    assert.deepEqual([sent.reply.status, sent.reply.text], ['error', '']);
    assert.equal(
      sent.reply.message,
      `Tried POST https://127.0.0.1:${port}/, but what answers there does not speak TLS; try http:// in place of https://`,
    );
  });

  it('is given up before, while and after its head comes', async () => {
    const agent = await startRawAgent((socket, index) => void (index > 0 && socket.write(`${HEAD}OK|`)));
    const connection = connectTo(agentAt('aicf', agent.origin));
    const url = `${agent.origin}/`;
    const before = await sendTo(connection, 'LIST', { signal: AbortSignal.abort() });
    const waiting = new AbortController();
    const pending = sendTo(connection, 'LIST', { signal: waiting.signal });
    await until('the request came', () => agent.requests.length === 1);
    waiting.abort();
    const reading = new AbortController();
    const read = await sendTo(connection, 'LIST', {
      signal: reading.signal,
      onBody: received => received === 3 && setImmediate(() => reading.abort()),
    });
    const cancelled = { status: 'cancelled', code: 'CANCELLED' } as const;
    const early = {
      ...cancelled,
      isProtocol: false,
      text: '',
      message: `POST ${url} was cancelled before an answer began`,
    };
    assert.deepEqual(before.reply, early);
    assert.deepEqual((await pending).reply, early);
    const late = {
      ...cancelled,
      isProtocol: true,
      text: 'OK|',
      message: `POST ${url} was cancelled after 3 bytes`,
    };
    assert.deepEqual(read.reply, late);
    await until('the connection is closed', () => agent.countSockets() === 0);
  });

  it('drips without an end', async () => {
    const agent = await startRawAgent(async socket => {
      socket.write(HEAD);
      while (!socket.destroyed) {
        socket.write('O');
        await new Promise(resolve => setTimeout(resolve, 50));
      }
    });
    const sent = await sendTo(connectTo(agentAt('aicf', agent.origin)), 'LIST', { timeout: 1000 });
    const { text } = sent.reply;
    assert.match(text, /^O+$/);
    assert.deepEqual(sent.reply, {
      status: 'incomplete',
      isProtocol: false,
      text,
      code: 'TIMEOUT',
      message: `Tried POST ${agent.origin}/: 200 OK and ${text.length === 1 ? '1 byte' : `${text.length} bytes`} came, but the reply did not end within 1 s; what came is kept, wait for the agent or raise its 'timeout'`,
    });
    await until('the connection is closed', () => agent.countSockets() === 0);
  });

  it('is closed while a call is open', async () => {
    const agent = await startRawAgent(() => undefined);
    const connection = connectTo(agentAt('aicl', agent.origin));
    const pending = sendTo(connection, AICL);
    await until('the request came', () => agent.requests.length === 1);
    await connection.close();
    assert.equal((await pending).reply.status, 'cancelled');
    await until('the connection is closed', () => agent.countSockets() === 0);
  });

  for (const [protocol, body] of [
    ['aicf', 'STREAM|ä€\r\nSTREAM|😀\\n\r\nEND\r\n'],
    ['aicl', `[d:[s:msg_type]:[s:result],[s:data]:[s:ä€😀\\]\\\\]]\n${AICL}`],
  ] as const) {
    it(`${protocol}: sends its reply split at every byte`, async function () {
      this.timeout(20_000);
      const whole = reply(body);
      const agent = await startRawAgent(async (socket, index) => {
        socket.setNoDelay(true);
        socket.write(whole.subarray(0, index));
        await new Promise(resolve => setImmediate(resolve));
        socket.end(whole.subarray(index));
      });
      const connection = connectTo(agentAt(protocol, agent.origin));
      for (let at = 0; at <= whole.length; at++) {
        const sent = await sendTo(connection, 'LIST');
        assert.deepEqual(sent.reply, { status: 'ok', isProtocol: true, text: body });
      }
    });
  }
});

/** A port that was free a moment ago. */
async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise(resolve => server.close(resolve));
  return port;
}
