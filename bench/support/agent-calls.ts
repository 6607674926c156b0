import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { connectAgent } from '../../agents/all.ts';
import { askIn } from '../../agents/converting/converting-connection.ts';
import { KnownTools } from '../../agents/capabilities/known-tools.ts';
import type { ResolvedHttpAgent } from '../../agents/config/resolve-agent.ts';
import { withSend, type Connection, type WireListener } from '../../agents/connection.ts';
import { now, RANDOM_IDS } from '../../agents/runtime.ts';
import { sendTracked } from '../../agents/tracked.ts';
import type { LanguageId } from '../../core/catalog/languages.ts';
import { Redactor } from '../../core/secrets/redact.ts';
import { ALL_PROTOCOLS } from '../../protocols/all.ts';

const SERVER = fileURLToPath(new URL('agent-server.ts', import.meta.url));

/** A connection as in the extension, except that events are discarded. */
export function connectTo(
  protocol: ResolvedHttpAgent['protocol'],
  url: string,
  language: LanguageId = 'aicf',
): Connection {
  const agent: ResolvedHttpAgent = {
    type: 'http',
    name: 'bench',
    protocol,
    url: new URL(url),
    headers: new Map([['authorization', 'Bearer a-secret-of-the-bench']]),
    tls: {},
    quirks: 'off',
    secrets: ['a-secret-of-the-bench'],
    secretHeaders: ['authorization'],
  };
  const connection = connectAgent(agent);
  const asked = askIn(connection, {
    protocols: ALL_PROTOCOLS,
    language,
    tools: new KnownTools(),
    warningPolicy: 'send',
  });
  const tracking = {
    emit: () => undefined,
    now,
    ids: RANDOM_IDS,
    redactor: new Redactor(agent.secrets, agent.secretHeaders),
  };
  const sentTo = withSend(connection, (...request) => asked.send(...request));
  return withSend(connection, (...request) => sendTracked(sentTo, tracking, ...request).reply);
}

/** Sends a request and reports the size of each piece of its reply. Throws if the reply is not `ok`. */
export async function call(
  connection: Connection,
  wireText: string,
  observed: (size: number) => void,
): Promise<void> {
  const listener: WireListener = {
    head: () => undefined,
    bytes: (_, { length }) => observed(length),
    note: () => undefined,
    progress: () => undefined,
  };
  const reply = await connection.send({ wireText }, listener, new AbortController().signal);
  if (reply.status !== 'ok')
    throw new Error(`The agent of the benchmark failed: ${reply.message ?? reply.status}`);
}

/** Starts the agents of `agent-server.ts` in a process of their own. */
export async function startServer(): Promise<{ readonly origin: string; stop(): void }> {
  const child = spawn(process.execPath, [SERVER], { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.stdout.once('data', (bytes: Buffer) => resolve(bytes.toString().trim()));
  });
  return { origin: `http://127.0.0.1:${port}`, stop: () => void child.kill() };
}
