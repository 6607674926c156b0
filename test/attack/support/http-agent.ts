import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { ProtocolName } from '../../../core/catalog/protocols.ts';
import { reply, startRawAgent, type RawAgent } from '../../agents/support/raw-agent.ts';
import { brief, inFolder, judge, PLANTED, sizeIn, type Attack, type Expected, type Form } from './attack.ts';
import { runParley } from './measure.ts';

/** The eight protocols of agents over HTTP. */
export const PROTOCOLS: readonly ProtocolName[] = [
  'aicl',
  'aicf',
  'json-rpc',
  'aio',
  'mcp',
  'agent-api',
  'responses',
  'a2a',
];

/** What a hostile agent knows when it is called. */
export interface Call {
  readonly protocol: ProtocolName;
  /** The id of the request, as JSON. */
  readonly id: string;
  /** The request with its head. */
  readonly request: string;
  /** The agent's own address. */
  readonly origin: string;
  /** The address of another server, which must not be called. */
  readonly other: string;
  /** The result of the protocol's own form with this text in it. */
  whole(text: string): string;
  /** A number of bytes, or a hundredth of it in the gate. */
  size(bytes: number): number;
}

/** What an agent over HTTP does to its caller. */
export interface HttpAttack {
  readonly name: string;
  readonly does: string;
  /** All protocols without it. */
  readonly protocols?: readonly ProtocolName[];
  /** Answers the call; with `at: 'first'` every request, also those by which a protocol begins. */
  answer(socket: Socket, call: Call): void | Promise<void>;
  readonly at?: 'first';
  readonly expected: Expected;
  /** The time-out of the agent in seconds. */
  readonly timeout?: number;
  /** The protocol for which the gate runs the row. */
  readonly isMeasured?: true;
  readonly short?: ProtocolName;
  /** A request to be sent in place of the protocol's usual one. */
  readonly words?: readonly string[];
  /** Files beside the usual ones. */
  readonly files?: Readonly<Record<string, string>>;
}

/** The rows of an attack: one for each protocol. */
export function httpRows(attack: HttpAttack): readonly Attack[] {
  const { short } = attack;
  const protocols = attack.protocols ?? PROTOCOLS;
  if (short !== undefined && !protocols.includes(short)) throw new Error(`'${attack.name}' has no ${short}`);
  return protocols.map(protocol => ({
    name: attack.name,
    group: 'http',
    protocol,
    does: attack.does,
    expected: attack.expected,
    isShort: attack.short === protocol,
    isMeasured: attack.isMeasured ?? false,
    run: form => runHttp(attack, protocol, form),
  }));
}

const AICL_REQUEST =
  '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:1],[s:msg_type]:[s:tool_call],[s:tool]:[s:echo],[s:params]:[d:[s:a]:[i:1]]]\n';

/** The request file of a protocol's agents, and its name. */
export function requestFor(protocol: ProtocolName): readonly [name: string, text: string] {
  return protocol === 'aicl' ? ['request.aicl', AICL_REQUEST] : ['request.aicf', 'CALL|echo|{"a":1}\n'];
}

/** What an agent answers to the requests by which a protocol begins, as a caller expects it. */
function greet(protocol: ProtocolName, request: string, call: Call): Buffer | undefined {
  const [, body = ''] = /\r\n\r\n([^]*)$/.exec(request) ?? [];
  const json = (text: string): Buffer => reply(text, '200 OK', 'application/json');
  const rpc = (member: string): Buffer => json(`{"jsonrpc":"2.0","id":${call.id},${member}}`);
  const tool =
    '{"name":"echo","description":"echoes","inputSchema":{"type":"object","properties":{"a":{"type":"integer"}}}}';
  switch (protocol) {
    case 'mcp':
      if (!request.startsWith('POST ')) return reply('', '405 Method Not Allowed');
      if (body.includes('"server/discover"')) return rpc('"error":{"code":-32601,"message":"no"}');
      if (body.includes('"initialize"'))
        return rpc(
          '"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}',
        );
      if (body.includes('"notifications/')) return reply('', '202 Accepted');
      return body.includes('"tools/list"') ? rpc(`"result":{"tools":[${tool}]}`) : undefined;
    case 'a2a':
      return request.startsWith('GET ')
        ? json(
            `{"protocolVersion":"0.3.0","name":"x","description":"","url":"${call.origin}/","version":"1","capabilities":{"streaming":true},"skills":[{"id":"echo","name":"echo","description":"","tags":[]}],"defaultInputModes":["text"],"defaultOutputModes":["text"]}`,
          )
        : undefined;
    case 'aio':
      return body.includes('help')
        ? json('{"result":{"type":"http","name":"x","methods":["help","echo"]}}')
        : undefined;
    case 'json-rpc':
      if (body.includes('aip.handshake')) return rpc('"result":{"version":"1.0.0","server":{"name":"x"}}');
      return body.includes('aip.capabilities.list') ? rpc(`"result":{"tools":[${tool}]}`) : undefined;
    case 'aicf':
      return body.startsWith('INFO|') || body.startsWith('LIST') ? reply('ERR|404|none') : undefined;
    default:
      return undefined;
  }
}

/** A result of a protocol with a text in it. */
function wholeOf(protocol: ProtocolName, id: string, text: string): string {
  const quoted = JSON.stringify(text);
  switch (protocol) {
    case 'aicl':
      return `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:1],[s:msg_type]:[s:result],[s:data]:[s:${text}]]`;
    case 'aicf':
      return `OK|${text}`;
    case 'json-rpc':
      return `{"jsonrpc":"2.0","id":${id},"result":{"success":true,"data":${quoted}}}`;
    case 'aio':
      return `{"id":${id},"output":{"type":"text","value":${quoted}}}`;
    case 'mcp':
      return `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":${quoted}}]}}`;
    case 'agent-api':
      return `data: {"object":"response","status":"completed","id":"r","output":[{"object":"message","type":"message","role":"assistant","id":"m","status":"completed","content":[{"object":"content","type":"text","text":${quoted}}]}]}\n\n`;
    case 'responses':
      return `{"id":"r","object":"response","status":"completed","output":[{"type":"message","id":"m","role":"assistant","status":"completed","content":[{"type":"output_text","text":${quoted},"annotations":[]}]}]}`;
    case 'a2a':
      return `data: {"jsonrpc":"2.0","id":${id},"result":{"kind":"message","messageId":"n","role":"agent","parts":[{"kind":"text","text":${quoted}}]}}\n\n`;
  }
}

/** The type of a protocol's replies. */
export function typeOf(protocol: ProtocolName): string {
  if (protocol === 'agent-api' || protocol === 'a2a') return 'text/event-stream';
  return protocol === 'aicl' || protocol === 'aicf' ? 'text/plain' : 'application/json';
}

async function runHttp(attack: HttpAttack, protocol: ProtocolName, form: Form): ReturnType<Attack['run']> {
  const other = await startOther();
  const counter = new SocketCounter();
  const agent: RawAgent = await startRawAgent(async (socket, index) => {
    counter.add(socket);
    const request = agent.requests[index] ?? '';
    const id = /"id":\s*("[^"]*"|\d+)/.exec(request)?.[1] ?? 'null';
    const call: Call = {
      protocol,
      id,
      request,
      origin: agent.origin,
      other: other.origin,
      whole: text => wholeOf(protocol, id, text),
      size: bytes => sizeIn(form, bytes),
    };
    const greeting = attack.at === 'first' ? undefined : greet(protocol, request, call);
    if (greeting) socket.end(greeting);
    else await attack.answer(socket, call);
  });
  const [name, text] = requestFor(protocol);
  const config = {
    protocol,
    type: 'http',
    url: `${agent.origin}/`,
    headers: { Authorization: 'Bearer ${env:PLANTED}', 'X-Api-Key': '${env:PLANTED}' },
    timeout: attack.timeout ?? 30,
  };
  const files = {
    'agents.json': JSON.stringify({ agents: { hostile: config } }),
    [name]: text,
    ...attack.files,
  };
  try {
    return await inFolder(files, async folder => {
      const words = attack.words ?? ['send', name, '--agent', 'hostile', '--trace', 't.agenttrace.jsonl'];
      const run = await runParley([...words, '--agents', 'agents.json'], {
        cwd: folder.path,
        env: { PLANTED },
        form,
      });
      const faults = await findPlanted(folder.path);
      if (other.count() > 0) faults.push(`called another server ${other.count()} times`);
      if (agent.requests.length === 0 && attack.words === undefined)
        faults.push('the agent was never called');
      return await judge(run, attack.expected, { input: counter.count(), faults });
    });
  } finally {
    await Promise.all([agent.close(), other.close()]);
  }
}

/** Traces are smaller than this, in bytes. */
const LARGEST_FILE = 2 ** 30;

/** Files below a folder that hold the planted secret. */
export async function findPlanted(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    // What is larger was put there by the attack.
    if ((await stat(path)).size > LARGEST_FILE) continue;
    const content = await readFile(path);
    if (content.includes(PLANTED)) found.push(`the file ${brief(entry.name)} holds the planted secret`);
  }
  return found;
}

/** Counts the bytes that went out on sockets. */
class SocketCounter {
  readonly #sockets = new Set<Socket>();

  add(socket: Socket): void {
    this.#sockets.add(socket);
  }

  count(): number {
    return [...this.#sockets].reduce((sum, socket) => sum + socket.bytesWritten - socket.writableLength, 0);
  }
}

/** A server that must not be called. */
export async function startOther(): Promise<{
  readonly origin: string;
  readonly port: number;
  count(): number;
  close(): Promise<void>;
}> {
  let calls = 0;
  const sockets = new Set<Socket>();
  const server = createServer(socket => {
    calls++;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(reply('{}', '200 OK', 'application/json')));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    count: () => calls,
    close: () =>
      new Promise(resolve => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
