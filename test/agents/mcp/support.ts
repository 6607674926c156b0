import { spawn, type ChildProcess } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import type {
  ResolvedAgent,
  ResolvedHttpAgent,
  ResolvedStdioAgent,
} from '../../../agents/config/resolve-agent.ts';
import type { Connection, Outgoing, Reply, Sender } from '../../../agents/connection.ts';
import { DEFAULT_MCP_LIMITS, connectMcp } from '../../../agents/mcp/connection.ts';
import { ROOT } from '../../../scripts/root.ts';
import { START_PATIENCE, until } from '../support/raw-agent.ts';

const COMMON = { name: 'tester', protocol: 'mcp', secrets: [], secretHeaders: [] } as const;

/** An MCP server at an address, with nothing else set. */
export function mcpAt(url: string, more: Partial<ResolvedHttpAgent> = {}): ResolvedHttpAgent {
  return { ...COMMON, type: 'http', url: new URL(url), headers: new Map(), tls: {}, ...more };
}

/** An MCP server that is a program of Node's. */
export function mcpProgram(
  args: readonly string[],
  more: Partial<ResolvedStdioAgent> = {},
): ResolvedStdioAgent {
  return { ...COMMON, type: 'stdio', command: process.execPath, args, env: new Map(), cwd: ROOT, ...more };
}

/** A program that runs a few lines: `on(act)` calls `act` with each request; `say` writes one, `raw` any text. */
export function mcpScript(script: string): ResolvedStdioAgent {
  return mcpProgram(['-e', `${PRELUDE}${script}`]);
}

const PRELUDE = `
const raw = text => void process.stdout.write(text);
const say = message => raw(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const warn = text => void process.stderr.write(text);
const on = act => require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
  const message = JSON.parse(line);
  if (message.method === 'server/discover') say({ id: message.id, error: { code: -32601, message: 'Method not found' } });
  else if (message.method === 'initialize') say({ id: message.id, result: { protocolVersion: '2024-11-05', capabilities: { tools: {} }, serverInfo: { name: 'script', version: '1' } } });
  else if (message.id !== undefined) act(message, line);
});
`;

/** The reference server of the versions before 2026-07-28. */
export const EVERYTHING = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js';

const open = new Set<Connection>();
const running = new Set<ChildProcess>();

/** A connection with limits of which some are set. `closeAll` ends it. */
export function connect(agent: ResolvedAgent, limits: Partial<typeof DEFAULT_MCP_LIMITS> = {}): Connection {
  const all = { ...DEFAULT_MCP_LIMITS, untilTerm: 300, untilKill: 300, goodbye: 500, ...limits };
  const connection = connectMcp(agent, { limits: all });
  open.add(connection);
  return connection;
}

/** Ends all connections of a test. */
export async function closeAll(): Promise<void> {
  await Promise.all([...open].map(connection => connection.close()));
  open.clear();
}

// Also after a failure nothing stays behind.
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** A port of this computer without a listener. */
export async function findPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>(resolve => server.close(() => resolve()));
  return port;
}

/** A server that is a process of its own. */
export interface ServerProcess {
  readonly url: string;
  /** Kills it. */
  readonly stop: () => Promise<void>;
}

/** Starts the reference server over HTTP. */
export function startEverything(how: 'streamableHttp' | 'sse', port: number): Promise<ServerProcess> {
  return startServer([EVERYTHING, how], port, how === 'sse' ? '/sse' : '/mcp');
}

/** Starts a server of MCP 2026-07-28 by the official library over HTTP. */
export function startModern(port: number): Promise<ServerProcess> {
  return startServer(['test/agents/mcp/servers/modern-http.ts'], port, '/');
}

async function startServer(args: readonly string[], port: number, path: string): Promise<ServerProcess> {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', text => (said += String(text)));
  const stop = (): Promise<void> =>
    new Promise(resolve => {
      running.delete(child);
      child.once('exit', () => resolve());
      child.kill('SIGKILL');
    });
  try {
    await until('the server listens', () => /listening on port|running on port/.test(said), START_PATIENCE);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: `http://127.0.0.1:${port}${path}`, stop };
}

/** What a caller sees of one request. */
export interface Asked {
  readonly reply: Reply;
  readonly sent: string;
  readonly came: string;
  readonly stderr: string;
  readonly heads: readonly string[];
  readonly notes: readonly string[];
  readonly progress: readonly string[];
}

export interface AskOptions extends Omit<Partial<Outgoing>, 'wireText'> {
  readonly signal?: AbortSignal;
  /** Hears each piece of bytes, as `in: TEXT`. */
  readonly onBytes?: (piece: string) => void;
}

/** Sends one request and records everything received, also late data. */
export async function ask(connection: Sender, wireText: string, options: AskOptions = {}): Promise<Asked> {
  const { signal = new AbortController().signal, onBytes, ...request } = options;
  const bytes = { out: '', in: '', stderr: '' };
  const heads: string[] = [];
  const notes: string[] = [];
  const progress: string[] = [];
  const reply = await connection.send(
    { wireText, ...request },
    {
      head: (direction, line) => void heads.push(`${direction}: ${line}`),
      bytes(direction, piece) {
        const text = Buffer.from(piece).toString();
        bytes[direction] += text;
        onBytes?.(`${direction}: ${text}`);
      },
      note: text => void notes.push(text),
      progress: text => void progress.push(text),
    },
    signal,
  );
  return {
    reply,
    get sent() {
      return bytes.out;
    },
    get came() {
      return bytes.in;
    },
    get stderr() {
      return bytes.stderr;
    },
    heads,
    notes,
    progress,
  };
}

/** The text of a JSON-RPC request. */
export function rpc(method: string, params?: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, ...(params === undefined ? {} : { params }) });
}

/** The text of a call. */
export function call(name: string, args: unknown = {}): string {
  return rpc('tools/call', { name, arguments: args });
}

/** The text that a tool answered with. */
export function said({ reply }: Asked): unknown {
  const message = JSON.parse(reply.text) as { result?: { content?: { text?: string }[] } };
  return message.result?.content?.[0]?.text;
}
