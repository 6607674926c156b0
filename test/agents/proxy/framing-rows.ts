import assert from 'node:assert/strict';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { closeProxies, converse, lineOf, record, Tape, type Seen } from './support.ts';

/** An agent that is a bare socket: it collects all bytes that reach it, and writes what a test gives it. */
export class BareAgent {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  reached = '';

  private constructor(write: (socket: Socket) => void) {
    this.#server = createServer(socket => {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('data', bytes => {
        this.reached += bytes.toString('latin1');
        if (this.reached.includes('\r\n\r\n')) write(socket);
      });
    });
  }

  static async start(write: (socket: Socket) => void = () => undefined): Promise<BareAgent> {
    const agent = new BareAgent(write);
    await new Promise<void>(resolve => agent.#server.listen(0, '127.0.0.1', resolve));
    return agent;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise(resolve => this.#server.close(resolve));
  }
}

const running: BareAgent[] = [];

/** Ends all recordings and agents of a test. */
export async function closeAll(): Promise<void> {
  await closeProxies();
  for (const agent of running.splice(0)) await agent.close();
}

export async function start(write?: (socket: Socket) => void): Promise<BareAgent> {
  const agent = await BareAgent.start(write);
  running.push(agent);
  return agent;
}

/** The status and the sentence of the only reply. */
function replyOf({ bytes }: Seen): string {
  const sentence = /^HTTP\/1\.1 (\d{3}) [^\r]*\r\n(?:[^\r]+\r\n)*\r\n([^\n]*)\n$/.exec(bytes);
  return sentence ? `${sentence[1]} ${sentence[2]}` : bytes;
}

export const HEAD = 'POST /x HTTP/1.1\r\nHost: HERE\r\n';
export const CHUNKED = 'Transfer-Encoding: chunked\r\n';
export const NEXT = 'GET /smuggled HTTP/1.1\r\nHost: HERE\r\n\r\n';
const NO_HTTP = 'This is not an HTTP/1.1 request; a recording of an agent over HTTP accepts nothing else';
const differ = (fault: string): string =>
  `Parsers could disagree about where this request ends: ${fault}; it is not forwarded`;
export const noNumber = (value: string): string =>
  differ(`its Content-Length is '${value}', which is not a plain number`);
const coding = (value: string): string =>
  differ(`its Transfer-Encoding is '${value}', and 'chunked' alone is known`);
const BOTH = differ('it has both Content-Length and Transfer-Encoding');

/** A request, and why all of it is refused. */
export const HEADS: readonly (readonly [name: string, request: string, why: string])[] = [
  ['Content-Length with Transfer-Encoding', `${HEAD}Content-Length: 4\r\n${CHUNKED}\r\n0\r\n\r\n`, BOTH],
  ['Transfer-Encoding with Content-Length', `${HEAD}${CHUNKED}content-length: 0\r\n\r\n0\r\n\r\n`, BOTH],
  [
    'two lengths',
    `${HEAD}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
    differ('it has 2 Content-Length headers'),
  ],
  [
    'two lengths that are the same',
    `${HEAD}Content-Length: 1\r\ncontent-length: 1\r\n\r\na`,
    differ('it has 2 Content-Length headers'),
  ],
  ...['+4', '-4', '0x4', '4,4', '4, 4', '4 4', '4;', '1e1', '04', '4.0', '', '9'.repeat(16), "4'"].map(
    value =>
      [
        `the length '${value}'`,
        `${HEAD}Content-Length: ${value}\r\n\r\nabcd${NEXT}`,
        noNumber(value),
      ] as const,
  ),
  ...[
    'xchunked',
    'chunked, chunked',
    'chunked,',
    'identity',
    'gzip',
    'gzip, chunked',
    'chunked;q=1',
    '"chunked"',
    '',
  ].map(
    value =>
      [
        `the coding '${value}'`,
        `${HEAD}Transfer-Encoding: ${value}\r\n\r\n0\r\n\r\n${NEXT}`,
        coding(value),
      ] as const,
  ),
  ['two codings', `${HEAD}${CHUNKED}${CHUNKED}\r\n0\r\n\r\n`, differ('it has 2 Transfer-Encoding headers')],
  [
    'a coding in HTTP/1.0',
    `POST /x HTTP/1.0\r\nHost: HERE\r\n${CHUNKED}\r\n0\r\n\r\n`,
    differ('it has Transfer-Encoding, which HTTP/1.0 does not know'),
  ],
  ...['head', 'Head', 'connect'].map(
    method =>
      [
        `the method ${method}`,
        `${method} /x HTTP/1.1\r\nHost: HERE\r\n\r\n`,
        differ(`its method is '${method}', which some parsers read as ${method.toUpperCase()}`),
      ] as const,
  ),
  [
    'a length that is of the connection alone',
    `${HEAD}Connection: close, Content-Length\r\nContent-Length: 4\r\n\r\nabcd`,
    differ('its Connection header names content-length, which some parsers then remove'),
  ],
  [
    'a length with an underscore',
    `${HEAD}Content_Length: 4\r\n\r\nabcd`,
    differ('it has the header Content_Length, which some parsers read as content-length'),
  ],
  ...(
    [
      ['a blank before a colon', `${HEAD}Content-Length : 4\r\n\r\nabcd`],
      ['a tab before a colon', `${HEAD}Transfer-Encoding\t: chunked\r\n\r\n0\r\n\r\n`],
      ['a vertical tab in a value', `${HEAD}Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n`],
      ['a header over two lines', `${HEAD}X-a: b\r\n c\r\n\r\n`],
      ['a coding over two lines', `${HEAD}Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n`],
      ['a bare CR in a header', `${HEAD}X-a: b\rContent-Length: 4\r\n\r\nabcd`],
      ['a bare LF in a header', `${HEAD}X-a: b\nContent-Length: 4\r\n\r\nabcd`],
      ['a bare LF after the request line', 'POST /x HTTP/1.1\nHost: HERE\r\n\r\n'],
      ['a bare LF at the end of the head', `${HEAD}Content-Length: 0\r\n\n${NEXT}`],
      ['a NUL in a header', `${HEAD}X-a: b\0c\r\n\r\n`],
      ['a header line without a colon', `${HEAD}X-a\r\n\r\n`],
      ['a header without a name', `${HEAD}: b\r\n\r\n`],
      ['a name that is no token', `${HEAD}X(a): b\r\n\r\n`],
      ['a first header line that begins with a blank', `POST /x HTTP/1.1\r\n Host: HERE\r\n\r\n`],
      ['HTTP/0.9', 'GET /x\r\n\r\n'],
      ['another version', 'GET /x HTTP/1.2\r\nHost: HERE\r\n\r\n'],
      ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
      ['two blanks in the request line', 'GET  /x HTTP/1.1\r\nHost: HERE\r\n\r\n'],
      ['a tab in the request line', 'GET\t/x HTTP/1.1\r\nHost: HERE\r\n\r\n'],
      ['something behind the version', 'GET /x HTTP/1.1 \r\nHost: HERE\r\n\r\n'],
    ] as const
  ).map(([name, request]) => [name, request, NO_HTTP] as const),
];

const size = (text: string): string => differ(`'${text}' is not a chunk size`);

/** What follows the head of a request in chunks: what of it reaches the agent, and why the rest does not. */
export const CHUNKS: readonly (readonly [name: string, good: string, bad: string, why: string])[] = [
  ...[
    '+4',
    '0x4',
    ' 4',
    '4 ',
    '4\t',
    '',
    '-1',
    'g',
    '4\0',
    `${'0'.repeat(16)}4`,
    '4;a\rb',
    '4;a\0b',
    '4,4',
  ].map(
    text =>
      [
        `the size '${text}'`,
        '1\r\na\r\n',
        `${text}\r\nabcd\r\n0\r\n\r\n${NEXT}`,
        size(text.trimEnd().replaceAll('\r', 'U+000D').replaceAll('\0', 'U+0000')),
      ] as const,
  ),
  ['a size that ends in LF', '', '4\nabcd\r\n0\r\n\r\n', size('4')],
  [
    'a chunk that is longer than its size',
    '1\r\na',
    'b\r\n0\r\n\r\n',
    differ('a chunk of it is longer than its size says'),
  ],
  ['a chunk that ends in LF', '1\r\na', '\n0\r\n\r\n', differ('a chunk of it is longer than its size says')],
  [
    'a last line that is none',
    '1\r\na\r\n0\r\n',
    `X\r\n\r\n${NEXT}`,
    differ('one of its trailers is not valid HTTP/1.1'),
  ],
  ['a last line that ends in LF', '0\r\n', `\n${NEXT}`, differ('one of its trailers is not valid HTTP/1.1')],
  [
    'trailers that end in LF',
    '0\r\n',
    `X-a: b\r\n\n${NEXT}`,
    differ('one of its trailers is not valid HTTP/1.1'),
  ],
  ...['Content-Length', 'transfer-encoding', 'Host', 'Origin', 'Content_Length'].map(
    name =>
      [
        `${name} as a trailer`,
        '0\r\n',
        `X-a: b\r\n${name}: 1\r\n\r\n${NEXT}`,
        differ(`its trailers hold ${name}, which belongs in the head`),
      ] as const,
  ),
];

export const MAY_PASS: readonly (readonly [name: string, request: string])[] = [
  [
    'chunks with extensions and trailers',
    `${HEAD}${CHUNKED}\r\n004;a="b;c"\r\nabcd\r\nA\r\n0123456789\r\n0\r\nX-a: b\r\n\r\n`,
  ],
  ['a coding in capitals', `${HEAD}TRANSFER-ENCODING: Chunked\r\n\r\n0\r\n\r\n`],
  ['a body of a GET', 'GET /x HTTP/1.1\r\nHost: HERE\r\nContent-Length: 4\r\n\r\nabcd'],
  ['tabs around a length', `${HEAD}Content-Length:\t4\t\r\n\r\nabcd`],
  ['a length of zero', `${HEAD}Content-Length: 0\r\n\r\n`],
  ['HTTP/1.0 with a length', 'POST /x HTTP/1.0\r\nHost: HERE\r\nContent-Length: 4\r\n\r\nabcd'],
];

export const OK = 'HTTP/1.1 200 OK\r\n';
const wrong = (fault: string): string =>
  `The agent's reply cannot be forwarded, because callers could disagree about where it ends: ${fault}; correct the agent`;
const LINE = wrong('a line that says how long its body is breaks the grammar of HTTP/1.1');
const NO_LINE = wrong('a line of its head is not valid HTTP/1.1');

/** The head of a reply, and why it does not pass. */
export const REPLIES: readonly (readonly [name: string, reply: string, why: string])[] = [
  [
    'a length with a coding',
    `${OK}Content-Length: 4\r\n${CHUNKED}\r\n0\r\n\r\n`,
    wrong('it has both Content-Length and Transfer-Encoding'),
  ],
  [
    'two lengths',
    `${OK}Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcd`,
    wrong('it has 2 Content-Length headers'),
  ],
  [
    'a length with a sign',
    `${OK}Content-Length: +4\r\n\r\nabcd`,
    wrong("its Content-Length is '+4', which is not a plain number"),
  ],
  [
    'another coding',
    `${OK}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
    wrong("its Transfer-Encoding is 'xchunked', and 'chunked' alone is known"),
  ],
  [
    'a coding in HTTP/1.0',
    `HTTP/1.0 200 OK\r\n${CHUNKED}\r\n0\r\n\r\n`,
    wrong('it has Transfer-Encoding, which HTTP/1.0 does not know'),
  ],
  ['a blank before the colon of a length', `${OK}Content-Length : 4\r\n\r\nabcd`, LINE],
  ['a length over two lines', `${OK}Content-Length:\r\n 4\r\n\r\nabcd`, LINE],
  ['a length behind a bare LF', `${OK}X-a: b\nContent-Length: 4\r\n\r\nabcd`, LINE],
  [
    'a length in a folded line',
    `${OK}Content-Length: 4\r\nX-a: b\r\n Transfer-Encoding: chunked\r\n\r\nabcd`,
    LINE,
  ],
  ['a length behind a blank before a colon', `${OK}X-a : b\r\nContent-Length: 4\r\n\r\nabcd`, LINE],
  ...['\n\n', '\r\n\n', '\n\r\n'].map(
    end =>
      [
        `a head that ends in ${JSON.stringify(end)}`,
        `${OK}Content-Length: 4\r\nX-a: b${end}abcd\r\n\r\n`,
        wrong('its head ends in LF alone, and other lines of it in CRLF'),
      ] as const,
  ),
  ['a bare CR', `${OK}X-a: b\rContent-Length: 4\r\n\r\nabcd`, NO_LINE],
  ['a NUL', `${OK}X-a: b\0\r\n\r\n`, NO_LINE],
  ['a line without a colon', `${OK}X-a\r\n\r\n`, NO_LINE],
  [
    'a body where there is none',
    'HTTP/1.1 204 No Content\r\nContent-Length: 4\r\n\r\nabcd',
    wrong('its status 204 has no body, and its head announces one'),
  ],
];

/** A reply in chunks: what of it passes, and what does not. */
export const BROKEN: readonly (readonly [name: string, good: string, bad: string, why: string])[] = [
  ['a size that is none', '', 'xyz\r\nOK|1\r\n', wrong("'xyz' is not a chunk size")],
  ['a size that ends in LF', '', '4\nabcd\r\n0\r\n\r\n', wrong("'4' is not a chunk size")],
  ['an extension with LF', '', '4;a\nabcd\r\n0\r\n\r\n', wrong("'4;a' is not a chunk size")],
  ['a chunk that ends in LF', '1\r\na', '\n60\r\n', wrong('a chunk of it is longer than its size says')],
  ['a last line that ends in LF', '0\r\n', '\nabcd', wrong('one of its trailers is not valid HTTP/1.1')],
  [
    'a trailer over two lines',
    '0\r\n',
    'X-a: b\r\n c\r\n\r\n',
    wrong('one of its trailers is not valid HTTP/1.1'),
  ],
  ['a size with a sign', '2\r\nOK\r\n', '+2\r\nOK\r\n0\r\n\r\n', wrong("'+2' is not a chunk size")],
  [
    'a chunk that is longer than its size',
    '1\r\na',
    'b\r\n0\r\n\r\n',
    wrong('a chunk of it is longer than its size says'),
  ],
  [
    'a length as a trailer',
    '0\r\n',
    'Content-Length: 4\r\n\r\n',
    wrong('its trailers hold Content-Length, which belongs in the head'),
  ],
];

/** Sends a request and waits until the connection ends, however long that takes on a busy machine. */
const converseToEnd = (port: number, request: string): Promise<Seen> =>
  converse(port, [request], 'never', Infinity);

const ask = (port: number): Promise<Seen> =>
  converseToEnd(port, `GET /x HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);

/** Requests are refused at their heads, and no byte of them reaches the agent. */
export async function refuseHeads(rows: typeof HEADS): Promise<void> {
  const agent = await start();
  const tape = new Tape();
  const proxy = await record(agent.origin, tape);
  const replies: (readonly string[])[] = [];
  for (const [name, request] of rows) {
    const seen = await converseToEnd(proxy.port, request.replaceAll('HERE', `127.0.0.1:${proxy.port}`));
    replies.push([name, replyOf(seen), seen.end, agent.reached]);
  }
  await closeProxies();
  assert.deepEqual(
    [replies, tape.events],
    [rows.map(([name, , why]) => [name, `400 ${why}`, 'ended', '']), []],
  );
}

/** Requests are refused within their chunks, and nothing reaches the agent from there on. */
export async function refuseChunks(rows: typeof CHUNKS): Promise<void> {
  const agent = await start();
  const tape = new Tape();
  const proxy = await record(agent.origin, tape);
  const head = `${HEAD}${CHUNKED}\r\n`;
  const [host, own] = [`127.0.0.1:${proxy.port}`, new URL(agent.origin).host];
  for (const [name, good, bad, why] of rows) {
    agent.reached = '';
    const seen = await converseToEnd(proxy.port, `${head}${good}${bad}`.replaceAll('HERE', host));
    const passed = `${head}${good}`.replace('HERE', own);
    assert.deepEqual(
      [name, replyOf(seen), seen.end, passed.startsWith(agent.reached)],
      [name, `400 ${why}`, 'ended', true],
    );
  }
  await closeProxies();
  assert.deepEqual(
    tape.calls().map(call => [lineOf(call), call.message]),
    rows.map(([, , , why]) => ['other · POST /x · error · BAD_FRAMING', why]),
  );
}

/** Replies are 502 where their heads are at fault, with the reason, and both sides end. */
export async function refuseReplies(rows: typeof REPLIES): Promise<void> {
  let reply = '';
  const agent = await start(socket => socket.write(reply, 'latin1'));
  const tape = new Tape();
  const proxy = await record(agent.origin, tape);
  for (const row of rows) {
    const [name, , why] = row;
    reply = row[1];
    const seen = await ask(proxy.port);
    assert.deepEqual([name, replyOf(seen), seen.end], [name, `502 ${why}`, 'ended']);
  }
  await closeProxies();
  assert.deepEqual(
    tape.calls().map(call => [lineOf(call), call.message]),
    rows.map(([, , why]) => ['other · GET /x · error · BAD_FRAMING', why]),
  );
}

/** Replies of which some has passed break off. */
export async function breakReplies(rows: typeof BROKEN): Promise<void> {
  let reply = '';
  const agent = await start(socket => socket.write(reply, 'latin1'));
  const tape = new Tape();
  const proxy = await record(agent.origin, tape);
  for (const [name, good, bad] of rows) {
    const passed = `${OK}${CHUNKED}\r\n${good}`;
    reply = `${passed}${bad}`;
    const seen = await ask(proxy.port);
    assert.deepEqual([name, passed.startsWith(seen.bytes), seen.end], [name, true, 'reset']);
  }
  await closeProxies();
  assert.deepEqual(
    tape.calls().map(call => [lineOf(call), call.message]),
    rows.map(([, , , why]) => ['other · GET /x · incomplete · BAD_FRAMING', why]),
  );
}
