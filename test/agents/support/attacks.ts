import type { Socket } from 'node:net';
import type { Reply } from '../../../agents/connection.ts';
import type { HttpLimits } from '../../../agents/http/http-connection.ts';
import { reply } from './raw-agent.ts';

/** A whole reply of AICL. */
export const AICL =
  '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:1],[s:msg_type]:[s:result],[s:data]:[i:1]]';

/** The behaviour of an agent over HTTP towards its caller, and the result. */
interface Attack {
  readonly name: string;
  answer(socket: Socket): void | Promise<void>;
  /** URL is replaced by the agent's address, ORIGIN by its origin, HOST by its host. */
  readonly reply: Reply;
  readonly limits?: Partial<HttpLimits>;
  readonly timeout?: number;
  /** The path of the agent's address. */
  readonly path?: string;
  readonly notes?: readonly string[];
  /** Protocols that the attack is for; both without it. */
  readonly only?: 'aicf' | 'aicl';
}

/** Of a reply that says how long it is, and need not keep that. */
export const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 100\r\n\r\n';
const PAGE = '<!DOCTYPE html><html><head><title>Sign in</title></head><body>Hello</body></html>';
const RPC = '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid Request"}}';

export const ATTACKS: readonly Attack[] = [
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
        "Tried POST URL: 200 OK and 0 bytes came, then nothing more for 400 ms; the received part is stored, wait for the agent or raise its 'timeout'",
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
        "Tried POST URL: 200 OK and 11 bytes came, then nothing more for 400 ms; the received part is stored, wait for the agent or raise its 'timeout'",
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
        'Tried POST URL: 200 OK and 6 bytes came, then the connection was lost; the received part is stored, send again for the rest',
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
      message: 'Tried POST URL: the reply is longer than 5000 bytes and was truncated there; request less',
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
        "Tried POST URL, but the response is not valid HTTP (HPE_INVALID_CONSTANT); check that the agent's url and port are those of an HTTP server",
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
        "Tried POST URL: 401 Unauthorized came with JSON ('Missing API key') and no AICF-RPC 1.0 reply; it requires other credentials; set the agent's 'headers', such as Authorization",
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
    notes: ['The reply is not UTF-8; invalid bytes are shown as U+FFFD'],
    reply: { status: 'ok', isProtocol: true, text: 'OK|\u{fffd}\u{fffd}' },
  },
];
