import type { Socket } from 'node:net';
import type { Reply } from '../../../agents/connection.ts';
import type { HttpLimits } from '../../../agents/http/http-connection.ts';
import { reply } from './raw-agent.ts';

export const FINE = '{"jsonrpc":"2.0","id":2,"result":{"a":1}}';
const OK: Reply = { status: 'ok', isProtocol: true, text: FINE };
const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n';

const TOLD = { status: 'error', isProtocol: false, text: '' } as const;

interface Attack {
  readonly name: string;
  readonly answer: (socket: Socket) => void;
  /** URL is replaced by the agent's address, TITLE by the protocol. */
  readonly reply: Reply;
  readonly notes?: readonly string[];
  readonly limits?: Partial<HttpLimits>;
}

const CUT = 'what is there is read, and what is missing is not known; send again for the rest';

export const RPC_ATTACKS: readonly Attack[] = [
  {
    name: 'sends an HTML page with 200',
    answer: socket => void socket.end(reply('<!DOCTYPE html><title>Sign in</title>', '200 OK', 'text/html')),
    reply: {
      ...TOLD,
      text: '<!DOCTYPE html><title>Sign in</title>',
      code: 'HTTP 200',
      message:
        "Tried POST URL: 200 OK came with an HTML page ('Sign in') and no TITLE reply; check that an agent of TITLE runs at this address",
    },
  },
  {
    name: 'redirects to elsewhere',
    answer: socket =>
      void socket.end(
        'HTTP/1.1 307 Moved\r\nLocation: http://127.0.0.1:9/steal\r\nContent-Length: 0\r\n\r\n',
      ),
    reply: {
      ...TOLD,
      code: 'HTTP 307',
      message:
        "Tried POST URL: 307 Moved came with an empty body and no TITLE reply; it redirects to 'http://127.0.0.1:9/steal', and redirects are not followed; put that address into the agent's url if you trust it",
    },
  },
  {
    name: 'names no content type',
    answer: socket => void socket.end(`HTTP/1.1 200 OK\r\n\r\n${FINE}`),
    reply: OK,
  },
  {
    name: 'begins with a BOM',
    answer: socket => void socket.end(reply(`\ufeff${FINE}\r\n`)),
    reply: { ...OK, text: `\ufeff${FINE}\r\n` },
  },
  {
    name: 'ends in the middle of its JSON',
    answer: socket => void socket.end(reply(FINE.slice(0, 35))),
    reply: {
      ...OK,
      status: 'incomplete',
      text: FINE.slice(0, 35),
      message: `The reply is incomplete: The text ends before the closing '}}'; ${CUT}`,
    },
  },
  {
    name: 'answers with a status of failure',
    answer: socket => void socket.end(reply(FINE, '500 Internal Server Error')),
    reply: {
      ...OK,
      status: 'error',
      text: FINE,
      code: 'HTTP 500',
      message:
        "Tried POST URL: 500 Internal Server Error came with a reply of TITLE, and this status means failure; look at the reply and at the agent's own log",
    },
  },
  {
    name: 'answers twice in one body',
    answer: socket => void socket.end(reply(`${FINE}\n${FINE}`)),
    reply: { ...OK, text: `${FINE}\n${FINE}` },
    notes: ['The agent answered 2 times; all answers were recorded'],
  },
  {
    name: 'answers with the id of another request',
    answer: socket => void socket.end(reply('{"id":"x","result":1}')),
    reply: { ...OK, text: '{"id":"x","result":1}' },
    notes: ["The reply names the id 'x', and the request has '2'; it was treated as the reply anyway"],
  },
  {
    name: 'answers without an id',
    answer: socket => void socket.end(reply('{"result":1}')),
    reply: { ...OK, text: '{"result":1}' },
  },
  {
    name: 'drops in the middle of its body',
    answer: socket => void socket.write(HEAD + FINE.slice(0, 20), () => socket.destroy()),
    reply: {
      status: 'incomplete',
      isProtocol: false,
      text: FINE.slice(0, 20),
      code: 'ECONNRESET',
      message:
        'Tried POST URL: 200 OK and 20 bytes came, then the connection was lost; the received part is stored, send again for the rest',
    },
  },
  {
    name: 'never ends its body',
    limits: { maxBytes: 1000 },
    answer: socket => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const flood = (): void =>
        void socket.write('{"a":'.repeat(10_000), error => (error ? undefined : flood()));
      flood();
    },
    reply: {
      ...TOLD,
      status: 'incomplete',
      text: '{"a":'.repeat(200),
      code: 'TOO_LONG',
      message: 'Tried POST URL: the reply is longer than 1000 bytes and was truncated there; request less',
    },
  },
  {
    name: 'sends bytes that are not UTF-8',
    answer: socket =>
      void socket.end(
        reply(Buffer.concat([Buffer.from('{"result":"'), Buffer.from([0xff]), Buffer.from('"}')])),
      ),
    reply: { ...OK, text: '{"result":"\ufffd"}' },
    notes: ['The reply is not UTF-8; invalid bytes are shown as U+FFFD'],
  },
  {
    name: 'splits its reply at every byte',
    answer: socket => {
      const bytes = reply(FINE);
      const next = (at: number): void => {
        if (at < bytes.length) socket.write(bytes.subarray(at, at + 1), () => setImmediate(next, at + 1));
        else socket.end();
      };
      socket.setNoDelay(true);
      next(0);
    },
    reply: OK,
  },
];
