import { brotliCompressSync, gzipSync } from 'node:zlib';
import { reply } from '../../agents/support/raw-agent.ts';
import { MIB } from '../support/measure.ts';
import { typeOf, type HttpAttack } from '../support/http-agent.ts';
import { drip, flood, head, repeat, write } from '../support/write.ts';

/** Any end of a call that was not what it should be, or was all the same. */
const ENDS = { end: [0, 1] } as const;
const FAILS = { end: [1] } as const;
const TIMES_OUT = { end: [1], err: /TIMEOUT/ } as const;

const OPEN = (protocol: Parameters<typeof typeOf>[0], more = ''): string =>
  `HTTP/1.1 200 OK\r\nContent-Type: ${typeOf(protocol)}\r\n${more}\r\n`;

/** What agents do with sockets, heads and lengths, whatever their protocol. */
export const TRANSPORT: readonly HttpAttack[] = [
  {
    name: 'answers as it should',
    does: 'Answers a call in the words of its protocol: every other row is measured against this one.',
    answer: (socket, call) => void socket.end(reply(call.whole('fine'), '200 OK', typeOf(call.protocol))),
    expected: { end: [0], out: /fine/ },
    short: 'mcp',
  },
  {
    name: 'closes without an answer',
    does: 'Reads the request and closes the connection.',
    // Others are in the rows that the tests of connections share.
    protocols: ['agent-api', 'responses', 'mcp', 'a2a'],
    answer: socket => void socket.destroy(),
    expected: { end: [1], err: /closed the connection|ECONNRESET/ },
  },
  {
    name: 'resets without an answer',
    does: 'Reads the request and resets the connection.',
    answer: socket => void socket.resetAndDestroy(),
    expected: FAILS,
  },
  {
    name: 'closes at the first request',
    does: 'Closes the connection of every request, also of those by which the protocol begins.',
    at: 'first',
    answer: socket => void socket.destroy(),
    expected: FAILS,
  },
  {
    name: 'never answers',
    does: 'Reads the request and does nothing.',
    answer: () => undefined,
    timeout: 2,
    expected: TIMES_OUT,
  },
  {
    name: 'never answers the first request',
    does: 'Does nothing on any request, also on those by which the protocol begins.',
    at: 'first',
    answer: () => undefined,
    timeout: 2,
    expected: { end: [1], err: /TIMEOUT|seconds|within \d+ m?s/ },
  },
  {
    name: 'hangs after its head',
    does: 'Sends the head of a reply and nothing more.',
    // Others are in the rows that the tests of connections share.
    protocols: ['agent-api', 'responses', 'mcp', 'a2a'],
    answer: (socket, call) => void socket.write(OPEN(call.protocol)),
    timeout: 2,
    expected: TIMES_OUT,
  },
  {
    name: 'hangs in its body',
    does: 'Sends the first half of a reply and nothing more.',
    answer: (socket, call) => {
      const text = call.whole('fine');
      socket.write(OPEN(call.protocol) + text.slice(0, text.length / 2));
    },
    timeout: 2,
    expected: TIMES_OUT,
  },
  {
    name: 'drips its body',
    does: 'Sends a blank every 20 ms and never ends.',
    answer: (socket, call) => {
      socket.write(OPEN(call.protocol));
      return drip(socket, ' ');
    },
    timeout: 2,
    expected: TIMES_OUT,
  },
  {
    name: 'drips its head',
    does: 'Sends a byte of a header every 20 ms and never ends.',
    answer: socket => {
      socket.write('HTTP/1.1 200 OK\r\nX-Slow: ');
      return drip(socket, 'x');
    },
    timeout: 2,
    expected: FAILS,
  },
  {
    name: 'drops in its body',
    does: 'Closes the connection at half of a reply with a length.',
    answer: (socket, call) => {
      const bytes = reply(call.whole('fine'), '200 OK', typeOf(call.protocol));
      socket.end(bytes.subarray(0, bytes.length - 10));
    },
    expected: FAILS,
  },
  {
    name: 'resets in its body',
    does: 'Resets the connection at half of a reply.',
    answer: async (socket, call) => {
      await write(socket, OPEN(call.protocol) + call.whole('fine').slice(0, 20));
      await new Promise(resolve => setTimeout(resolve, 50));
      socket.resetAndDestroy();
    },
    expected: FAILS,
  },
  {
    name: 'never ends its body',
    does: 'Sends one letter for as long as anybody reads.',
    answer: async (socket, call) => {
      socket.write(OPEN(call.protocol));
      await flood(socket, 'O', call.size(400 * MIB));
      socket.end();
    },
    expected: FAILS,
  },
  {
    name: 'never ends a header',
    does: 'Sends one header without an end.',
    answer: async socket => {
      socket.write('HTTP/1.1 200 OK\r\nX-Long: ');
      await flood(socket, 'x', 64 * MIB);
    },
    expected: FAILS,
    short: 'json-rpc',
  },
  {
    name: 'never ends its headers',
    does: 'Sends header after header without an end.',
    answer: async socket => {
      socket.write('HTTP/1.1 200 OK\r\n');
      await flood(socket, 'X-A: 1\r\n', 64 * MIB);
    },
    expected: FAILS,
  },
  {
    name: 'sends a header of blanks',
    does: 'Sends 10 KB of blanks in a header, so that a search that looks back takes its time.',
    answer: (socket, call) =>
      void socket.end(
        `HTTP/1.1 200 OK\r\nX-A: a${' '.repeat(10_000)}b\r\nContent-Type: ${typeOf(call.protocol)}\r\n\r\n${call.whole('fine')}`,
      ),
    expected: ENDS,
  },
  {
    name: 'sends words for a Markdown link as its reason',
    does: 'Answers 502 with a link to a command in place of the reason.',
    answer: socket =>
      void socket.end(
        'HTTP/1.1 502 [Show details](command:workbench.action.quit) $(alert) <img src=x>\r\nContent-Length: 0\r\n\r\n',
      ),
    expected: FAILS,
  },
  {
    name: 'sends escapes as its reason',
    does: 'Answers 500 with escape sequences and bidirectional marks as its reason, and in a header and its body.',
    answer: socket =>
      void socket.end(
        Buffer.from(
          'HTTP/1.1 500 \x9b2J\x85\xe2\x80\xaeevil\r\nX-A: \x9b31m\r\nContent-Type: text/html\r\n\r\n<title>\x1b]0;owned\x07\x1b[2J\x1b[31mred\u202e</title>',
          'latin1',
        ),
      ),
    expected: FAILS,
    short: 'aicl',
  },
  {
    name: 'answers with a status that HTTP does not have',
    does: 'Answers 999.',
    answer: socket => void socket.end(reply('{}', '999 Whatever', 'application/json')),
    expected: FAILS,
  },
  {
    name: 'answers with status 000',
    does: 'Answers 000.',
    answer: socket => void socket.end(reply('{}', '000 None', 'application/json')),
    expected: FAILS,
  },
  {
    name: 'answers a status without a body',
    does: 'Answers 204 with a body behind it.',
    answer: (socket, call) => void socket.end(reply(call.whole('hidden'), '204 No Content')),
    expected: { end: [0, 1], never: /hidden/ },
  },
  {
    name: 'says that nothing changed',
    does: 'Answers 304, as if the reply were stored.',
    answer: socket => void socket.end('HTTP/1.1 304 Not Modified\r\nETag: "x"\r\n\r\n'),
    expected: FAILS,
  },
  {
    name: 'switches to another protocol',
    does: 'Answers 101 and sends frames of a WebSocket.',
    answer: socket =>
      void socket.end(
        'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n\x81\x05hello',
      ),
    expected: FAILS,
  },
  {
    name: 'floods with interim replies',
    does: 'Sends 100,000 replies 102 and then the reply.',
    answer: async (socket, call) => {
      await flood(socket, 'HTTP/1.1 102 Processing\r\n\r\n', call.size(2_700_000));
      socket.end(reply(call.whole('fine'), '200 OK', typeOf(call.protocol)));
    },
    expected: ENDS,
    short: 'aio',
  },
  {
    name: 'sends early hints to another server',
    does: 'Sends 103 with links to another server, then the reply.',
    answer: (socket, call) =>
      void socket.end(
        Buffer.concat([
          Buffer.from(`HTTP/1.1 103 Early Hints\r\nLink: <${call.other}/x>; rel=preload\r\n\r\n`),
          reply(call.whole('fine'), '200 OK', typeOf(call.protocol)),
        ]),
      ),
    expected: { end: [0], out: /fine/ },
  },
  {
    name: 'redirects to another server',
    does: 'Answers 307 with the address of another server, so that the credentials go there.',
    answer: (socket, call) =>
      void socket.end(
        `HTTP/1.1 307 Temporary Redirect\r\nLocation: ${call.other}/steal\r\nContent-Length: 0\r\n\r\n`,
      ),
    expected: { end: [1], err: /redirect/ },
  },
  {
    name: 'redirects its first request to another server',
    does: 'Answers every request with a redirect to another server.',
    at: 'first',
    answer: (socket, call) =>
      void socket.end(`HTTP/1.1 302 Found\r\nLocation: ${call.other}/steal\r\nContent-Length: 0\r\n\r\n`),
    expected: FAILS,
    short: 'a2a',
  },
  {
    name: 'redirects in a circle',
    does: 'Answers 308 with its own address.',
    answer: (socket, call) =>
      void socket.end(
        `HTTP/1.1 308 Permanent Redirect\r\nLocation: ${call.origin}/\r\nContent-Length: 0\r\n\r\n`,
      ),
    expected: FAILS,
  },
  {
    name: 'redirects to a file',
    does: 'Answers 302 with the address of a file of this computer.',
    answer: socket =>
      void socket.end('HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n'),
    expected: { end: [1], never: /root:/ },
  },
  {
    name: 'refreshes to another server',
    does: 'Answers 200 with a Refresh header, and a page that reloads from another server.',
    answer: (socket, call) =>
      void socket.end(
        `${head('text/html', '200 OK', `Refresh: 0; url=${call.other}/\r\n`)}<meta http-equiv=refresh content="0;url=${call.other}">`,
      ),
    expected: FAILS,
  },
  {
    name: 'sets cookies',
    does: 'Sets 100 cookies, which are credentials of the agent.',
    answer: (socket, call) =>
      void socket.end(
        `HTTP/1.1 200 OK\r\nContent-Type: ${typeOf(call.protocol)}\r\n${'Set-Cookie: s=planted-7Qk2mZ0x9-secret\r\n'.repeat(100)}\r\n${call.whole('fine')}`,
      ),
    expected: { end: [0], out: /fine/ },
    short: 'responses',
  },
  {
    name: 'wants credentials',
    does: 'Answers 401 with a realm of escapes and 2 kB of challenges.',
    // Others are in the rows that the tests of connections share.
    protocols: ['agent-api', 'responses', 'mcp', 'a2a'],
    answer: socket =>
      void socket.end(
        `HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm="\u009b31m${'x'.repeat(2000)}", Negotiate, NTLM\r\nContent-Length: 0\r\n\r\n`,
      ),
    expected: FAILS,
  },
  {
    name: 'is a proxy that wants credentials',
    does: 'Answers 407.',
    answer: socket => void socket.end(reply('no', '407 Proxy Authentication Required')),
    expected: FAILS,
  },
  {
    name: 'repeats the credentials',
    does: 'Sends back the request with its credentials as reason, header and body.',
    answer: (socket, call) => {
      const value = /x-api-key: (.*)\r\n/i.exec(call.request)?.[1] ?? '';
      socket.end(
        `HTTP/1.1 500 bad key ${value}\r\nX-Echo: ${value}\r\nContent-Type: text/plain\r\n\r\n${call.request}`,
      );
    },
    expected: FAILS,
    short: 'json-rpc',
  },
  {
    name: 'repeats the credentials in a reply',
    does: 'Sends back the credentials, letter by letter in chunks, in a reply that is right.',
    answer: async (socket, call) => {
      const value = /x-api-key: (.*)\r\n/i.exec(call.request)?.[1] ?? '';
      await write(socket, OPEN(call.protocol, 'Transfer-Encoding: chunked\r\n'));
      for (const letter of call.whole(`key ${value}`)) await write(socket, `1\r\n${letter}\r\n`);
      socket.end('0\r\n\r\n');
    },
    expected: ENDS,
    short: 'agent-api',
  },
  {
    name: 'sends an HTML page',
    does: 'Answers 200 with a page that has a script in its title.',
    answer: socket =>
      void socket.end(
        reply('<!DOCTYPE html><title><script>alert(1)</script>[x](command:y)</title>', '200 OK', 'text/html'),
      ),
    expected: FAILS,
  },
  {
    name: 'answers with a status of failure',
    does: 'Answers 500 with a whole reply, which is shown and is an error.',
    // JSON-RPC and AIO-MCP have this one in the table that they share with the tests of connections.
    protocols: ['aicl', 'agent-api', 'responses', 'a2a'],
    answer: (socket, call) =>
      void socket.end(reply(call.whole('fine'), '500 Internal Server Error', typeOf(call.protocol))),
    expected: { end: [1], out: /fine/, err: /500/ },
    short: 'a2a',
  },
  {
    name: 'sends a length that is too long',
    does: 'Names a length of 2^53 bytes and sends few.',
    // A reply of events is whole with its last event, wherever the body ends.
    protocols: ['aicl', 'aicf', 'json-rpc', 'aio', 'mcp'],
    answer: (socket, call) =>
      void socket.end(OPEN(call.protocol, 'Content-Length: 9007199254740992\r\n') + call.whole('fine')),
    expected: FAILS,
  },
  {
    name: 'sends a length that is too short',
    does: 'Names a length of 5 bytes and sends a whole reply.',
    answer: (socket, call) =>
      void socket.end(OPEN(call.protocol, 'Content-Length: 5\r\n') + call.whole('fine')),
    expected: ENDS,
  },
  {
    name: 'sends a negative length',
    does: 'Names a length of -1.',
    answer: (socket, call) =>
      void socket.end(OPEN(call.protocol, 'Content-Length: -1\r\n') + call.whole('fine')),
    expected: FAILS,
  },
  {
    name: 'sends two lengths',
    does: 'Names two lengths that differ.',
    answer: (socket, call) =>
      void socket.end(
        OPEN(call.protocol, 'Content-Length: 5\r\nContent-Length: 500\r\n') + call.whole('fine'),
      ),
    expected: FAILS,
  },
  {
    name: 'sends a length and chunks',
    does: 'Names a length together with chunks, which two readers read differently.',
    answer: (socket, call) =>
      void socket.end(
        `${OPEN(call.protocol, 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n')}3\r\nabc\r\n0\r\n\r\n`,
      ),
    expected: FAILS,
    short: 'aicf',
  },
  {
    name: 'sends a chunk without an end',
    does: 'Names a chunk of 2^63 bytes and closes.',
    answer: (socket, call) =>
      void socket.end(`${OPEN(call.protocol, 'Transfer-Encoding: chunked\r\n')}7fffffffffffffff\r\nabc`),
    expected: FAILS,
  },
  {
    name: 'sends a chunk size that is none',
    does: 'Names a chunk of "xyz" bytes.',
    answer: (socket, call) =>
      void socket.end(`${OPEN(call.protocol, 'Transfer-Encoding: chunked\r\n')}xyz\r\nabc\r\n0\r\n\r\n`),
    expected: FAILS,
  },
  {
    name: 'sends a chunk extension without an end',
    does: 'Sends 64 MiB of a chunk extension.',
    answer: async (socket, call) => {
      socket.write(`${OPEN(call.protocol, 'Transfer-Encoding: chunked\r\n')}1;`);
      await flood(socket, 'x', call.size(64 * MIB));
      socket.end();
    },
    expected: FAILS,
  },
  {
    name: 'sends tiny chunks',
    does: 'Sends 200,000 chunks of one byte each.',
    answer: async (socket, call) => {
      socket.write(OPEN(call.protocol, 'Transfer-Encoding: chunked\r\n'));
      await flood(socket, '1\r\n \r\n', call.size(1_200_000));
      const text = call.whole('fine');
      socket.end(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n0\r\n\r\n`);
    },
    expected: ENDS,
    short: 'a2a',
  },
  {
    name: 'sends trailers without an end',
    does: 'Ends its chunks and sends trailers for as long as anybody reads.',
    answer: async (socket, call) => {
      socket.write(`${OPEN(call.protocol, 'Transfer-Encoding: chunked\r\n')}0\r\n`);
      await flood(socket, 'X-Trailer: 1\r\n', call.size(64 * MIB));
    },
    timeout: 5,
    expected: ENDS,
  },
  {
    name: 'sends a gzip bomb',
    does: 'Sends 256 MiB of blanks, packed in 256 KiB, although a plain reply was asked for.',
    answer: (socket, call) => {
      const bomb = gzipSync(Buffer.alloc(call.size(256 * MIB), ' '));
      socket.end(
        Buffer.concat([
          Buffer.from(
            OPEN(
              call.protocol,
              `Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\nConnection: close\r\n`,
            ),
          ),
          bomb,
        ]),
      );
    },
    expected: FAILS,
    isMeasured: true,
    short: 'responses',
  },
  {
    name: 'sends a brotli bomb',
    does: 'Sends 256 MiB of blanks, packed in less than a KiB.',
    answer: (socket, call) => {
      const bomb = brotliCompressSync(Buffer.alloc(call.size(256 * MIB), ' '), { params: { 1: 2 } });
      socket.end(
        Buffer.concat([
          Buffer.from(
            OPEN(
              call.protocol,
              `Content-Encoding: br\r\nContent-Length: ${bomb.length}\r\nConnection: close\r\n`,
            ),
          ),
          bomb,
        ]),
      );
    },
    expected: FAILS,
  },
  {
    name: 'says that it packed what it did not',
    does: 'Names the packing deflate and sends what is none.',
    answer: (socket, call) =>
      void socket.end(
        OPEN(call.protocol, 'Content-Encoding: deflate\r\nConnection: close\r\n') + call.whole('fine'),
      ),
    expected: FAILS,
  },
  {
    name: 'names a type without an end',
    does: 'Sends a content type of 10 KB with a charset that nobody knows.',
    answer: (socket, call) =>
      void socket.end(reply(call.whole('fine'), '200 OK', `${'x/'.repeat(5000)}; charset=utf-7`)),
    expected: ENDS,
  },
  {
    name: 'speaks HTTP/0.9',
    does: 'Sends a reply without a head.',
    answer: (socket, call) => void socket.end(call.whole('fine')),
    expected: FAILS,
  },
  {
    name: 'speaks HTTP/2',
    does: 'Sends a settings frame of HTTP/2.',
    answer: socket => void socket.end(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0])),
    expected: FAILS,
  },
  {
    name: 'speaks TLS on a plain port',
    does: 'Sends an alert of TLS.',
    answer: socket => void socket.end(Buffer.from([0x15, 3, 1, 0, 2, 2, 70])),
    expected: FAILS,
  },
  {
    name: 'leaves bytes behind its reply',
    does: 'Keeps the connection open after a reply and sends another reply that nobody asked for.',
    answer: (socket, call) => {
      const one = (text: string): string =>
        `${OPEN(call.protocol, `Content-Length: ${Buffer.byteLength(text)}\r\nConnection: keep-alive\r\n`)}${text}`;
      socket.write(one(call.whole('fine')) + one(call.whole('smuggled')));
    },
    expected: { end: [0, 1], never: /smuggled/ },
    short: 'aicl',
  },
  {
    name: 'closes its half of the connection',
    does: 'Sends its end before it has read the request, then a reply.',
    at: 'first',
    answer: socket => void socket.end(),
    expected: FAILS,
  },
  {
    name: 'sends its reply byte by byte',
    does: 'Sends each byte of its reply in a packet of its own.',
    answer: async (socket, call) => {
      socket.setNoDelay(true);
      for (const byte of reply(call.whole('ä😀fine'), '200 OK', typeOf(call.protocol)))
        await write(socket, Buffer.of(byte));
      socket.end();
    },
    expected: { end: [0], out: /ä😀fine/ },
  },
  {
    name: 'sends bytes that are no text',
    does: 'Sends 1 MiB of random bytes with a type of text.',
    answer: (socket, call) => {
      let seed = 7;
      const bytes = Buffer.from(
        Array.from({ length: call.size(MIB) }, () => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) >> 16),
      );
      socket.end(reply(bytes, '200 OK', typeOf(call.protocol)));
    },
    expected: ENDS,
  },
  {
    name: 'sends UTF-16',
    does: 'Sends a reply in UTF-16 with its byte order mark.',
    answer: (socket, call) =>
      void socket.end(
        reply(Buffer.from(`\ufeff${call.whole('fine')}`, 'utf16le'), '200 OK', typeOf(call.protocol)),
      ),
    expected: ENDS,
  },
  {
    name: 'sends NUL',
    does: 'Sends 20 MB of NUL.',
    answer: (socket, call) =>
      void socket.end(reply(Buffer.alloc(call.size(20_000_000)), '200 OK', typeOf(call.protocol))),
    expected: ENDS,
    short: 'json-rpc',
  },
  {
    name: 'sends line ends',
    does: 'Sends 20 MB of CR and LF.',
    answer: (socket, call) =>
      void socket.end(reply(repeat('\r\n\r', call.size(20_000_000)), '200 OK', typeOf(call.protocol))),
    expected: ENDS,
  },
];
