import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, describe, it } from 'mocha';
import { connectAgent } from '../../agents/src/connect.ts';
import type { ProtocolName } from '../../protocol/src/catalog/protocols.ts';
import { startHandAgent } from './support/hand-agents.ts';
import { HAND_SCRIPTS } from './support/hand-scripts.ts';
import { closeRawAgents } from './support/raw-agent.ts';
import { agentAt } from './support/send.ts';

const MILLION = 1_000_000;
const BLOCK = 10_000;

/** What the program may take in MB: a million objects of ten names would be more. */
const MEMORY = 160;

interface Flood {
  readonly name: string;
  readonly count: number;
  readonly protocol: 'aicf' | 'mcp' | 'a2a';
  /** One of many, and the last that comes. */
  readonly one: string;
  readonly last: string;
  readonly notes: readonly string[];
  /** The characters of the reply. */
  readonly length: number;
}

const RESULT = 'data: {"jsonrpc":"2.0","id":ID,"result":{"content":[]}}\n\n';
const PROGRESS =
  'data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":ID,"progress":1}}\n\n';
const DONE =
  'data: {"jsonrpc":"2.0","id":1,"result":{"kind":"message","messageId":"n","role":"agent","parts":[]}}\n\n';
const ODD = [`An event of the stream is no JSON-RPC message (${MILLION} times)`];

const FLOODS: readonly Flood[] = [
  {
    name: 'AICF, a million lines of a stream',
    count: MILLION,
    protocol: 'aicf',
    one: 'STREAM|x\n',
    last: 'END\n',
    notes: [],
    length: 9 * MILLION + 4,
  },
  {
    name: 'MCP, a million events that say nothing',
    count: MILLION,
    protocol: 'mcp',
    one: 'data:1\n\n',
    last: RESULT,
    notes: ODD,
    length: 48,
  },
  {
    name: 'MCP, progress a hundred thousand times',
    count: MILLION / 10,
    protocol: 'mcp',
    one: PROGRESS,
    last: RESULT,
    notes: [],
    length: 48,
  },
  {
    name: 'A2A, a million events that say nothing',
    count: MILLION,
    protocol: 'a2a',
    one: 'data:1\n\n',
    last: DONE,
    notes: ODD,
    length: 8 * MILLION + DONE.length,
  },
];

const SELF = fileURLToPath(import.meta.url);

/** What came of the two requests: of the first its status, the length of its text, its notes; all bytes of both. */
type Told = [status: string, length: number, notes: string[], bytes: number, next: string];

/** Asks twice, in a process of its own that has so much memory and no more: one that wants more ends with an error. */
async function askApart(origin: string, protocol: string): Promise<Told> {
  const options = [`--max-old-space-size=${MEMORY}`, SELF, origin, protocol];
  return JSON.parse((await promisify(execFile)(process.execPath, options)).stdout) as Told;
}

async function askTwice(origin: string, protocol: ProtocolName): Promise<void> {
  const connection = connectAgent(agentAt(protocol, `${origin}/`));
  const notes: string[] = [];
  let bytes = 0;
  const listener = {
    head: () => undefined,
    bytes: (direction: string, piece: Uint8Array) => void (bytes += direction === 'in' ? piece.length : 0),
    note: (text: string) => void notes.push(text),
    progress: () => undefined,
  };
  const script = HAND_SCRIPTS[protocol];
  const { signal } = new AbortController();
  const { status, text } = await connection.send({ wireText: script.hang.request }, listener, signal);
  const next = await connection.send({ wireText: script.call.request }, listener, signal);
  await connection.close();
  const told: Told = [status, text.length, notes, bytes, next.status];
  process.stdout.write(JSON.stringify(told));
}

async function flood(socket: Socket, body: string, { one, last, count }: Flood): Promise<void> {
  const id = /"id":(\d+)/.exec(body)?.[1] ?? '1';
  const type = one.startsWith('data') ? 'text/event-stream' : 'text/plain';
  socket.write(`HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nConnection: close\r\n\r\n`);
  const block = Buffer.from(one.replace('ID', id).repeat(BLOCK));
  for (let sent = 0; sent < count && socket.writable; sent += BLOCK)
    await new Promise<void>(resolve => socket.write(block, () => resolve()));
  socket.end(last.replace('ID', id));
}

if (process.argv[1] === SELF) {
  const protocol = process.argv[3];
  if (protocol === 'aicf' || protocol === 'mcp' || protocol === 'a2a')
    await askTwice(process.argv[2] ?? '', protocol);
} else
  describe('an agent that sends many tiny events', () => {
    afterEach(closeRawAgents);

    for (const attack of FLOODS)
      it(`${attack.name}: all of it in ${MEMORY} MB, and the next request works`, async function () {
        this.timeout(120_000);
        const { protocol, one, count, length, notes } = attack;
        const agent = await startHandAgent(
          HAND_SCRIPTS[protocol],
          0,
          (socket, body) => void flood(socket, body, attack),
        );
        const [status, ownLength, ownNotes, bytes, next] = await askApart(agent.origin, protocol);
        assert.deepEqual([status, ownLength, ownNotes, next], ['ok', length, notes, 'ok']);
        assert.ok(bytes > count * one.replace('ID', '1').length, 'every byte was heard');
      });
  });
