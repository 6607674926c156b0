import assert from 'node:assert/strict';
import { request, type IncomingMessage } from 'node:http';
import { afterEach, describe, it } from 'mocha';
import { RecursionGuard } from '../../../agents/proxy/guard.ts';
import {
  closeProxies,
  closeServers,
  converse,
  lineOf,
  record,
  serve,
  Tape,
  wireOf,
  type Seen,
} from './support.ts';

const WHY = 'Recursion limit reached: depth 9, limit 5. The call was not forwarded';
const ANSWERED_ITSELF = 'The recording answered instead of the agent';

/** What an agent got: heads as they stand, and bodies. */
interface Got {
  readonly head: readonly string[];
  readonly body: string;
}

/** Answers each request with the id of its message, `200` and a length. */
async function startAgent(got: Got[]): Promise<string> {
  return serve((incoming, response) => {
    void readAll(incoming).then(body => {
      got.push({ head: incoming.rawHeaders, body });
      const { id } = JSON.parse(body === '' ? '{}' : body) as { readonly id?: number };
      response.setHeader('content-type', 'application/json');
      response.sendDate = false;
      response.end(JSON.stringify({ jsonrpc: '2.0', id: id ?? null, result: {} }));
    });
  });
}

async function readAll(stream: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of stream) text += String(piece);
  return text;
}

function callText(id: number): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: `tool-${id}` } });
}

function post(id: number, host: string, headers = ''): string {
  const body = callText(id);
  return `POST / HTTP/1.1\r\nHost: ${host}\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`;
}

function depth(count: number): string {
  return `X-OpenStarry-Trace-ID: run\r\nX-OpenStarry-Trace-Depth: ${count}\r\n`;
}

/** The replies of a connection: status and body of each. */
function repliesOf({ bytes }: Seen): readonly string[] {
  return bytes
    .split(/(?=HTTP\/1\.1 \d)/)
    .map(text => `${text.slice(9, 12)} ${text.slice(text.indexOf('\r\n\r\n') + 4)}`);
}

/** What comes of a call whose caller sends its body when it is asked for it, and of the recording's side of it. */
async function sendWhenAsked(
  address: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number | undefined; readonly text: string; readonly asked: number }> {
  let asked = 0;
  const sent = request(address, {
    method: 'POST',
    agent: false,
    headers: { expect: '100-continue', 'content-length': String(body.length), ...headers },
  });
  sent.on('continue', () => {
    asked++;
    if (asked === 1) sent.end(body);
  });
  sent.flushHeaders();
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.on('response', resolve).on('error', reject);
  });
  return { status: reply.statusCode, text: await readAll(reply), asked };
}

describe('what a recording answers itself', () => {
  afterEach(async () => {
    await closeProxies();
    await closeServers();
  });

  it('is in the order of its request, and is the last of its connection', async () => {
    const got: Got[] = [];
    const tape = new Tape();
    const proxy = await record(await startAgent(got), tape, { guard: new RecursionGuard(5) });
    const host = `127.0.0.1:${proxy.port}`;
    const seen = await converse(proxy.port, [
      post(1, host, depth(0)) + post(2, host, depth(9)) + post(3, host, depth(0)),
    ]);
    await closeProxies();
    assert.deepEqual(
      [seen.end, repliesOf(seen)],
      [
        'ended',
        [
          '200 {"jsonrpc":"2.0","id":1,"result":{}}',
          `200 {"jsonrpc":"2.0","id":2,"error":{"code":-33007,"message":"${WHY}"}}`,
        ],
      ],
    );
    assert.deepEqual(
      got.map(({ body }) => body),
      [callText(1)],
    );
    assert.deepEqual(
      tape.calls().map(call => [lineOf(call), call.message, wireOf(call, 'out'), call.notes]),
      [
        ['mcp · tool-1 · ok', undefined, callText(1), []],
        ['mcp · tool-2 · error · -33007', WHY, callText(2), [ANSWERED_ITSELF]],
      ],
    );
  });

  it('waits for the replies before it also without a request', async () => {
    const got: Got[] = [];
    const tape = new Tape();
    const proxy = await record(await startAgent(got), tape);
    const seen = await converse(proxy.port, [
      post(1, `127.0.0.1:${proxy.port}`) + post(2, 'evil.example'),
      post(3, `127.0.0.1:${proxy.port}`),
    ]);
    await closeProxies();
    assert.deepEqual(
      [seen.end, repliesOf(seen)],
      [
        'ended',
        [
          '200 {"jsonrpc":"2.0","id":1,"result":{}}',
          `403 This recording accepts requests for 127.0.0.1:${proxy.port} and localhost:${proxy.port} only, and the request names the host 'evil.example'\n`,
        ],
      ],
    );
    assert.deepEqual(
      tape.calls().map(call => [lineOf(call), wireOf(call, 'out')]),
      [['mcp · tool-1 · ok', callText(1)]],
    );
  });

  it('is not put into a body that only the end of the connection ends', async () => {
    const tape = new Tape();
    const origin = await serve((incoming, response) => {
      void readAll(incoming).then(() => {
        response.useChunkedEncodingByDefault = false;
        response.sendDate = false;
        response.shouldKeepAlive = false;
        response.end('all of it');
      });
    });
    const proxy = await record(origin, tape, {
      guard: new RecursionGuard(5),
    });
    const host = `127.0.0.1:${proxy.port}`;
    const first = 'GET / HTTP/1.0\r\n\r\n';
    const seen = await converse(proxy.port, [first + post(2, host, depth(9))]);
    await closeProxies();
    assert.deepEqual([seen.end, repliesOf(seen)], ['ended', ['200 all of it']]);
    assert.deepEqual(
      tape.calls().map(call => [lineOf(call), call.message]),
      [
        ['other · GET / · ok', undefined],
        ['mcp · tool-2 · error · -33007', WHY],
      ],
    );
  });

  it('asks for the body of a guarded call in the place of the agent, once, and says so', async () => {
    const got: Got[] = [];
    const tape = new Tape();
    const proxy = await record(await startAgent(got), tape, { guard: new RecursionGuard(5) });
    const passed = await sendWhenAsked(proxy.address, callText(1));
    const refused = await sendWhenAsked(proxy.address, callText(2), {
      'X-OpenStarry-Trace-Depth': '9',
    });
    await closeProxies();
    assert.deepEqual(
      [passed, refused],
      [
        { status: 200, text: '{"jsonrpc":"2.0","id":1,"result":{}}', asked: 1 },
        {
          status: 200,
          text: `{"jsonrpc":"2.0","id":2,"error":{"code":-33007,"message":"${WHY}"}}`,
          asked: 1,
        },
      ],
    );
    const body = callText(1);
    assert.equal(got.length, 1);
    assert.deepEqual(
      [got[0]?.body, got[0]?.head.filter((_, index) => index % 2 === 0).map(name => name.toLowerCase())],
      [body, ['content-length', 'host', 'connection']],
    );
    const asked =
      'The recording asked for the body instead of the agent, because the guard has to read it; the agent got no Expect header';
    assert.deepEqual(
      tape.calls().map(call => [lineOf(call), call.notes]),
      [
        ['mcp · tool-1 · ok', [asked]],
        ['mcp · tool-2 · error · -33007', [asked, ANSWERED_ITSELF]],
      ],
    );
  });

  it('leaves the question to the agent without a guard', async () => {
    const got: Got[] = [];
    const tape = new Tape();
    const proxy = await record(await startAgent(got), tape);
    const passed = await sendWhenAsked(proxy.address, callText(1));
    await closeProxies();
    assert.deepEqual(
      [passed, got[0]?.head.map(name => name.toLowerCase()).includes('expect'), tape.calls()[0]?.notes],
      [{ status: 200, text: '{"jsonrpc":"2.0","id":1,"result":{}}', asked: 1 }, true, []],
    );
  });

  it('comes at once where a request ends its lines in a way that agents may read otherwise', async () => {
    const got: Got[] = [];
    const proxy = await record(await startAgent(got), new Tape());
    const seen = await converse(proxy.port, [`GET / HTTP/1.1\nHost: 127.0.0.1:${proxy.port}\n\n`]);
    assert.deepEqual(
      [seen.end, repliesOf(seen), got],
      [
        'ended',
        ['400 This is not an HTTP/1.1 request; a recording of an agent over HTTP accepts nothing else\n'],
        [],
      ],
    );
  });

  it('shows a path that is not escaped as UTF-8, and else byte by byte', async () => {
    const tape = new Tape();
    const proxy = await record(await startAgent([]), tape);
    for (const path of ['/caf\xc3\xa9?key=1', '/caf\xe9'])
      await converse(proxy.port, [`GET ${path} HTTP/1.1\r\nHost: localhost:${proxy.port}\r\n\r\n`]);
    await closeProxies();
    assert.deepEqual(
      tape.calls().map(({ call }) => call.title),
      ['GET /café', 'GET /caf\xe9'],
    );
  });

  it('is nothing to a caller of HTTP/1.0, who need not name a host', async () => {
    const got: Got[] = [];
    const proxy = await record(await startAgent(got), new Tape());
    const seen = await converse(proxy.port, ['GET /health HTTP/1.0\r\n\r\n']);
    assert.deepEqual(repliesOf(seen), ['200 {"jsonrpc":"2.0","id":null,"result":{}}']);
    const named = await converse(proxy.port, ['GET /health HTTP/1.0\r\nHost: evil.example\r\n\r\n']);
    assert.match(repliesOf(named)[0] ?? '', /^403 This recording accepts requests for /);
    assert.deepEqual(
      got.map(({ head }) => head),
      [[]],
    );
  });
});
