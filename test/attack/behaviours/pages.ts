import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { reply } from '../../agents/support/raw-agent.ts';
import {
  inFolder,
  judge,
  sizeIn,
  type Attack,
  type Expected,
  type Form,
  type Outcome,
} from '../support/attack.ts';
import { startParley } from '../support/measure.ts';
import { write } from '../support/write.ts';

/** What a web page, or a client behind it, sends to a recording. */
interface PageAttack {
  readonly name: string;
  readonly does: string;
  /** The bytes that are sent; HERE is replaced by the recording's own host and port. */
  readonly sends: (form: Form) => string | readonly string[];
  /** What the agent behind the recording may get. */
  readonly passes: 'all' | 'nothing' | 'what is before the fault';
  readonly isShort?: true;
}

const BODY = 'CALL|delete|all';
const post = (headers: string, body = BODY): string =>
  `POST / HTTP/1.1\r\nHost: HERE\r\nContent-Type: text/plain\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`;
const framed = (headers: string, body: string): string =>
  `POST / HTTP/1.1\r\nHost: HERE\r\n${headers}\r\n${body}`;
const CHUNKED = 'Transfer-Encoding: chunked\r\n';
const SMUGGLED = 'POST /smuggled HTTP/1.1\r\nHost: HERE\r\nContent-Length: 4\r\n\r\nLIST';

const page = (name: string, does: string, headers: string, more: Partial<PageAttack> = {}): PageAttack => ({
  name,
  does,
  sends: () => post(headers),
  passes: 'nothing',
  ...more,
});
const frame = (name: string, does: string, bytes: string, more: Partial<PageAttack> = {}): PageAttack => ({
  name,
  does,
  sends: () => bytes,
  passes: 'nothing',
  ...more,
});

const UPGRADE =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';

const PAGE_ATTACKS: readonly PageAttack[] = [
  page('a client that is no page', 'Sends a request without any sign of a page.', '', {
    passes: 'all',
    isShort: true,
  }),
  page(
    'a page of its own origin',
    'Sends a request from a page of the recording itself.',
    'Origin: http://HERE\r\nSec-Fetch-Site: same-origin\r\n',
    { passes: 'all' },
  ),
  page('an address that the user typed', 'Sends a request that no page caused.', 'Sec-Fetch-Site: none\r\n', {
    passes: 'all',
  }),
  page(
    'a page of another site',
    'Posts text/plain from another site, for which browsers ask nobody.',
    'Origin: https://evil.example\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n',
    { isShort: true },
  ),
  page(
    'a page with an origin alone',
    'Sends the origin of another site and nothing else.',
    'Origin: https://evil.example\r\n',
    { isShort: true },
  ),
  page(
    'a page without an origin',
    'Says that it is of another site, without its origin.',
    'Sec-Fetch-Site: cross-site\r\n',
  ),
  page(
    'a page of the same site',
    'Sends a request from another port of this computer.',
    'Origin: http://127.0.0.1:1\r\nSec-Fetch-Site: same-site\r\n',
    { isShort: true },
  ),
  page(
    'a page of the same site without an origin',
    'Says that it is of the same site, without its origin.',
    'Sec-Fetch-Site: same-site\r\n',
  ),
  page('a page in a frame', 'Sends the origin null of a sandboxed frame.', 'Origin: null\r\n'),
  page(
    'a page of the same host over https',
    'Sends an origin that differs in its scheme.',
    'Origin: https://HERE\r\n',
  ),
  page(
    'a page of a name like ours',
    'Sends an origin that begins like that of the recording.',
    'Origin: http://HERE.evil.example\r\n',
  ),
  page(
    'a page with two origins',
    'Sends the right origin and a foreign one.',
    'Origin: http://HERE\r\nOrigin: https://evil.example\r\n',
  ),
  page(
    'a page with two origins in one',
    'Sends the right origin and a foreign one in one header.',
    'Origin: http://HERE https://evil.example\r\n',
  ),
  page(
    'a page with an empty origin',
    'Sends an origin that is empty, and that the request is of another site.',
    'Origin:\r\nSec-Fetch-Site: cross-site\r\n',
  ),
  page(
    'a page in capitals',
    'Spells its headers and their values in capitals.',
    'ORIGIN: HTTPS://EVIL.EXAMPLE\r\nSEC-FETCH-SITE: CROSS-SITE\r\n',
  ),
  page(
    'a page that an extension sends',
    'Sends the origin of an extension of a browser.',
    'Origin: chrome-extension://abcdef\r\n',
  ),
  {
    name: 'a WebSocket of another site',
    does: 'Opens a WebSocket from another site.',
    sends: () => `GET / HTTP/1.1\r\nHost: HERE\r\nOrigin: https://evil.example\r\n${UPGRADE}\r\n`,
    passes: 'nothing',
    isShort: true,
  },
  {
    name: 'a WebSocket of a page of the same site',
    does: 'Opens a WebSocket from another port.',
    sends: () => `GET / HTTP/1.1\r\nHost: HERE\r\nSec-Fetch-Site: same-site\r\n${UPGRADE}\r\n`,
    passes: 'nothing',
  },
  {
    name: 'a page that reads',
    does: 'Reads by GET from another site.',
    sends: () =>
      'GET /secret HTTP/1.1\r\nHost: HERE\r\nOrigin: https://evil.example\r\nSec-Fetch-Site: cross-site\r\n\r\n',
    passes: 'nothing',
  },
  {
    name: 'a page that asks before',
    does: 'Asks by OPTIONS whether it may post JSON.',
    sends: () =>
      'OPTIONS / HTTP/1.1\r\nHost: HERE\r\nOrigin: https://evil.example\r\nAccess-Control-Request-Method: POST\r\n\r\n',
    passes: 'nothing',
  },
  {
    name: 'a page by another name',
    does: 'Reaches the recording by a name that leads to this computer.',
    sends: () => 'POST / HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 4\r\n\r\nLIST',
    passes: 'nothing',
    isShort: true,
  },
  {
    name: 'a page in the second request',
    does: 'Sends a request that may pass and one of a page behind it.',
    sends: () => [post('').replace(BODY, 'x'.repeat(BODY.length)), post('Origin: https://evil.example\r\n')],
    passes: 'what is before the fault',
  },

  frame(
    'a length and chunks',
    'Names a length and chunks.',
    framed(`Content-Length: 5\r\n${CHUNKED}`, `0\r\n\r\n${SMUGGLED}`),
    { isShort: true },
  ),
  frame(
    'chunks and a length',
    'Names chunks and a length.',
    framed(`${CHUNKED}Content-Length: 5\r\n`, `0\r\n\r\n${SMUGGLED}`),
  ),
  frame(
    'two lengths',
    'Names two lengths.',
    framed('Content-Length: 4\r\nContent-Length: 60\r\n', `LIST${SMUGGLED}`),
    { isShort: true },
  ),
  frame(
    'two lengths in one',
    'Names two lengths in one header.',
    framed('Content-Length: 4, 60\r\n', `LIST${SMUGGLED}`),
  ),
  frame(
    'two equal lengths',
    'Names the same length twice.',
    framed('Content-Length: 4\r\nContent-Length: 4\r\n', 'LIST'),
  ),
  ...['+4', '-4', '0x4', '4 4', '4;', '4.0', '4e0', '', ' ', '٤', '18446744073709551620', '4\x0b', '004 ']
    .map(length =>
      frame(
        `the length ${JSON.stringify(length)}`,
        `Names the length ${JSON.stringify(length)}.`,
        framed(`Content-Length: ${length}\r\n`, `LIST${SMUGGLED}`),
        length === '+4' ? { isShort: true } : length === '004 ' ? { passes: 'all' } : {},
      ),
    )
    .filter(row => row.passes === 'nothing'),
  ...[
    'xchunked',
    'chunked, identity',
    'identity, chunked',
    'chunked chunked',
    '"chunked"',
    'chunkedx',
    '\x0bchunked',
    'chunked;q=1',
    'chunked, chunked',
    ',chunked',
    'identity',
    '',
  ].map(coding =>
    frame(
      `the coding ${JSON.stringify(coding)}`,
      `Names the transfer coding ${JSON.stringify(coding)}.`,
      framed(`Transfer-Encoding: ${coding}\r\n`, `4\r\nLIST\r\n0\r\n\r\n${SMUGGLED}`),
      coding === 'xchunked' ? { isShort: true } : {},
    ),
  ),
  frame(
    'a coding twice',
    'Names chunks in two headers.',
    framed(`${CHUNKED}${CHUNKED}`, `0\r\n\r\n${SMUGGLED}`),
  ),
  frame(
    'a coding with a blank before its colon',
    'Writes a blank before the colon of the coding.',
    framed('Transfer-Encoding : chunked\r\n', `0\r\n\r\n${SMUGGLED}`),
  ),
  frame(
    'a coding with an underscore',
    'Writes Transfer_Encoding and a length.',
    framed('Transfer_Encoding: chunked\r\nContent-Length: 4\r\n', 'LIST'),
  ),
  frame(
    'a coding on a folded line',
    'Folds the header of the coding.',
    framed('Transfer-Encoding:\r\n chunked\r\n', `0\r\n\r\n${SMUGGLED}`),
  ),
  frame(
    'a folded header',
    'Hides a length in a folded line.',
    framed('X-A: b\r\n Content-Length: 4\r\n', SMUGGLED),
  ),
  frame(
    'a header that ends in LF',
    'Ends a header by LF alone.',
    `POST / HTTP/1.1\nHost: HERE\nContent-Length: 4\n\nLIST`,
  ),
  frame(
    'a header that ends in CR',
    'Ends a header by CR alone.',
    framed('X-A: b\rContent-Length: 4\r\n', 'LIST'),
  ),
  frame(
    'a header with NUL',
    'Writes NUL into a header.',
    framed('X-A: b\0c\r\nContent-Length: 4\r\n', 'LIST'),
  ),
  frame(
    'a header without a name',
    'Writes a header without a name.',
    framed(': x\r\nContent-Length: 4\r\n', 'LIST'),
  ),
  frame(
    'a header without a colon',
    'Writes a header without a colon.',
    framed('Content-Length 4\r\n', 'LIST'),
  ),
  frame(
    'chunks of HTTP/1.0',
    'Names chunks in HTTP/1.0.',
    framed(CHUNKED, `4\r\nLIST\r\n0\r\n\r\n`).replace('HTTP/1.1', 'HTTP/1.0'),
  ),
  ...['x', '-1', '+4', '0x4', '4 ', ' 4', '4;\n', '4\x0b', 'fffffffffffffffff', ''].map(size =>
    frame(
      `the chunk size ${JSON.stringify(size)}`,
      `Names the chunk size ${JSON.stringify(size)} after a chunk that is right; nothing of what follows may pass.`,
      framed(CHUNKED, `4\r\nLIST\r\n${size}\r\nevil\r\n0\r\n\r\n${SMUGGLED}`),
      { passes: 'what is before the fault', ...(size === 'x' ? { isShort: true } : {}) },
    ),
  ),
  frame(
    'a chunk that is longer than its size',
    'Writes more into a chunk than its size.',
    framed(CHUNKED, `4\r\nLISTevil\r\n0\r\n\r\n${SMUGGLED}`),
    { passes: 'what is before the fault' },
  ),
  frame(
    'a chunk that ends in LF',
    'Ends a chunk by LF alone.',
    framed(CHUNKED, `4\nLIST\n0\n\n${SMUGGLED}`),
    { passes: 'what is before the fault' },
  ),
  frame(
    'a chunk extension with a line end',
    'Ends an extension of a chunk by CR alone.',
    framed(CHUNKED, `4;a\rb\r\nevil\r\n0\r\n\r\n`),
    { passes: 'what is before the fault' },
  ),
  frame(
    'a trailer that is none',
    'Ends chunks by a trailer that is no header.',
    framed(CHUNKED, `4\r\nLIST\r\n0\r\nevil evil\r\n\r\n${SMUGGLED}`),
    { passes: 'what is before the fault' },
  ),
  frame(
    'a method in small letters',
    'Asks by `head`, which some parsers read as HEAD.',
    'head / HTTP/1.1\r\nHost: HERE\r\n\r\n',
  ),
  frame(
    'a length that is dropped',
    'Names its length in Connection, so that it may be left out.',
    framed('Connection: Content-Length\r\nContent-Length: 4\r\n', `LIST${SMUGGLED}`),
  ),
  frame(
    'an address of another server',
    'Names another server as its target.',
    post('').replace('POST /', 'POST http://evil.example/'),
  ),
  frame(
    'a tunnel',
    'Asks for a tunnel to another server.',
    'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n',
  ),
  frame('a request without a host', 'Names no host.', 'POST / HTTP/1.1\r\nContent-Length: 4\r\n\r\nLIST'),
  frame('two hosts', 'Names two hosts.', framed('Host: evil.example\r\nContent-Length: 4\r\n', 'LIST')),
  frame('HTTP/0.9', 'Sends a request without a version.', 'GET /\r\n\r\n'),
  frame('HTTP/2', 'Sends the preface of HTTP/2.', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  frame('TLS', 'Sends the first bytes of TLS.', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'),
  {
    name: 'a header of blanks',
    does: 'Sends a header with 250,000 blanks in it.',
    sends: () => framed(`X-A: a${' '.repeat(250_000)}b\r\nContent-Length: 4\r\n`, 'LIST'),
    passes: 'all',
    isShort: true,
  },
  {
    name: 'a header of tabs and blanks',
    does: 'Sends a header of 250,000 tabs and blanks by turns, and a coding of commas.',
    sends: form =>
      framed(
        `X-A: ${' \t'.repeat(sizeIn(form, 125_000))}b\r\nTransfer-Encoding: ${', '.repeat(sizeIn(form, 100_000))}\r\n`,
        '',
      ),
    passes: 'nothing',
    isShort: true,
  },
  {
    name: 'a head without an end',
    does: 'Sends 16 MiB of headers and no empty line.',
    sends: form => `POST / HTTP/1.1\r\nHost: HERE\r\n${'X-A: b\r\n'.repeat(sizeIn(form, 2_000_000))}`,
    passes: 'nothing',
    isShort: true,
  },
  {
    name: 'a line without an end',
    does: 'Sends a target of 16 MiB.',
    sends: form => `GET /${'x'.repeat(sizeIn(form, 16_000_000))}`,
    passes: 'nothing',
    isShort: true,
  },
];

const TRACE = 't.agenttrace.jsonl';

const FINE: Expected = { end: [0] };

/** A quiet time after which nothing more is on its way: only where nothing passes is it waited for. */
const QUIET = 400;

/** Rows that share a recording; they are far from each other in the table, so that several recordings work at a time. */
const SHARES = { full: 6, short: 1, inside: 1 } as const;

const shares = new Map<string, Promise<ReadonlyMap<string, Outcome>>>();

function toRow(attack: PageAttack, index: number): Attack {
  const { name, does, isShort = false } = attack;
  return {
    name,
    group: 'pages',
    protocol: 'recording',
    does,
    expected: FINE,
    isShort,
    run: async form => {
      const share = index % SHARES[form];
      const key = `${form} ${share}`;
      const chosen = (each: PageAttack, at: number): boolean =>
        at % SHARES[form] === share && (form === 'full' || each.isShort === true);
      const running = shares.get(key) ?? runShare(PAGE_ATTACKS.filter(chosen), form);
      shares.set(key, running);
      const outcome = (await running).get(name);
      if (!outcome) throw new Error(`'${name}' is not among the rows of its recording`);
      return outcome;
    },
  };
}

/** Makes attacks on one recording, one after the other; on another one where it no longer works. */
async function runShare(attacks: readonly PageAttack[], form: Form): Promise<ReadonlyMap<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  const waiting = [...attacks];
  while (waiting.length > 0) {
    const agent = await startCounting();
    try {
      await inFolder({}, async folder => {
        const words = ['record', '--listen', '0', '--to', agent.origin, '--out', TRACE, '--format', 'json'];
        const recording = startParley(words, { cwd: folder.path, timeCap: 120_000 });
        const met: {
          readonly name: string;
          readonly ended: string;
          readonly input: number;
          faults: string[];
        }[] = [];
        const here = await readAddress(recording);
        for (let works = true; works && waiting.length > 0;) {
          const attack = waiting.shift();
          if (!attack) break;
          const before = agent.received().length;
          const sent = attack.sends(form);
          const pieces = (typeof sent === 'string' ? [sent] : sent).map(piece =>
            piece.replaceAll('HERE', here),
          );
          const came = await talk(here, pieces);
          const faults = findPassed(attack, agent.received().slice(before));
          // The recording still works, whatever came.
          const after = `CALL|after-${met.length}`;
          await talk(here, [post('', after).replaceAll('HERE', here)]);
          works = agent.received().includes(after);
          if (!works) faults.push('the recording passes nothing any more');
          const ended = came === '' ? 'closed' : (/^HTTP\/1\.1 (\d+)/.exec(came)?.[1] ?? 'not HTTP');
          met.push({
            name: attack.name,
            ended,
            input: pieces.reduce((sum, piece) => sum + piece.length, 0),
            faults,
          });
        }
        recording.child.kill('SIGINT');
        const run = await recording.ended;
        const trace = await readFile(join(folder.path, TRACE), 'utf8').catch(() => '');
        if (!trace.includes('CALL|after-0')) met[0]?.faults.push('nothing was recorded');
        const input = met.reduce((sum, each) => sum + each.input, 0);
        for (const [at, { name, ended, faults, ...each }] of met.entries()) {
          // How the recording ended is the work of the last one.
          const whole = await judge(run, at === met.length - 1 ? FINE : { end: [run.end as number] }, {
            input,
            faults,
          });
          outcomes.set(name, { ...whole, ended, input: each.input });
        }
      });
    } finally {
      await agent.close();
    }
  }
  return outcomes;
}

/** What passed to the agent and should not have, or should have and did not. */
function findPassed({ passes }: PageAttack, got: string): string[] {
  if (passes === 'all') return got.includes(BODY) || got.includes('LIST') ? [] : ['the agent got nothing'];
  if (passes === 'what is before the fault')
    return /evil|smuggled/.test(got) ? ['the agent got what is behind the fault'] : [];
  return got === '' ? [] : [`the agent got ${JSON.stringify(got.slice(0, 80))} of ${got.length} bytes`];
}

/** The host and port of a recording that has begun. */
export async function readAddress(recording: ReturnType<typeof startParley>): Promise<string> {
  for (;;) {
    const found = /http:\/\/(127\.0\.0\.1:\d+)/.exec(recording.text().out)?.[1];
    if (found !== undefined) return found;
    if (recording.child.exitCode !== null)
      throw new Error(`The recording did not begin: ${recording.text().err}`);
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}

/** Sends bytes to a host, and answers what comes back until nothing comes any more. */
async function talk(here: string, pieces: readonly string[]): Promise<string> {
  const socket: Socket = connect(Number(here.split(':')[1]), '127.0.0.1');
  let came = '';
  const closed = new Promise<void>(resolve => socket.once('close', () => resolve()));
  socket.on('error', () => undefined);
  socket.on('data', (bytes: Buffer) => (came += bytes.toString('latin1')));
  await Promise.race([once(socket, 'connect'), closed]);
  for (const piece of pieces) await write(socket, Buffer.from(piece, 'latin1'));
  for (let quiet = 0, before = -1; quiet < QUIET && !socket.destroyed; quiet += 50) {
    await Promise.race([closed, new Promise(resolve => setTimeout(resolve, 50))]);
    if (came.length !== before) quiet = 0;
    before = came.length;
  }
  socket.destroy();
  await closed;
  return came;
}

/** An agent that keeps all bytes that come to it, and answers requests. */
async function startCounting(): Promise<{
  readonly origin: string;
  received(): string;
  close(): Promise<void>;
}> {
  let received = '';
  const sockets = new Set<Socket>();
  const server = createServer(socket => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    let own = '';
    socket.on('data', (bytes: Buffer) => {
      received += bytes.toString('latin1');
      own += bytes.toString('latin1');
      if (own.includes('\r\n\r\n')) socket.end(reply('OK|1'));
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received: () => received,
    close: () =>
      new Promise(resolve => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** What web pages, and clients that smuggle requests, do to recordings. */
export const PAGES: readonly Attack[] = PAGE_ATTACKS.map(toRow);
