import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { after, before, describe, it } from 'mocha';
import { connectAgent } from '../../../agents/all.ts';
import type { ProtocolName } from '../../../core/catalog/protocols.ts';
import { startHandAgent } from '../support/hand-agents.ts';
import { HAND_SCRIPTS } from '../support/hand-scripts.ts';
import { closeRawAgents } from '../support/raw-agent.ts';
import { agentAt } from '../support/send.ts';
import { sized } from '../../support/size.ts';

const MANY = sized(1_000_000, 50_000);
const BLOCK = 10_000;

/** What the program may take in MB: a million objects of ten names would be more. */
const MEMORY = 160;

/** What it may hold when nearly all has come, in bytes: less than an object of ten names for each event, and what is loaded. */
const maxHeld = (count: number): number => 100 * count + 2.5 * 2 ** 20;

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
const ODD = `An event of the stream is not a JSON-RPC message (${MANY} times)`;

const FLOODS: readonly Flood[] = [
  {
    name: 'AICF, lines of a stream',
    count: MANY,
    protocol: 'aicf',
    one: 'STREAM|x\n',
    last: 'END\n',
    notes: [],
    length: 9 * MANY + 4,
  },
  {
    name: 'MCP, events that say nothing',
    count: MANY,
    protocol: 'mcp',
    one: 'data:1\n\n',
    last: RESULT,
    notes: [ODD],
    length: 48,
  },
  {
    name: 'MCP, progress',
    count: sized(100_000, 20_000),
    protocol: 'mcp',
    one: PROGRESS,
    last: RESULT,
    notes: [],
    length: 48,
  },
  {
    name: 'A2A, events that say nothing',
    count: MANY,
    protocol: 'a2a',
    one: 'data:1\n\n',
    last: DONE,
    notes: [`${MANY} of the stream's events are no messages of A2A; they are only in the raw reply`, ODD],
    length: 8 * MANY + DONE.length,
  },
];

const SELF = fileURLToPath(import.meta.url);

/**
 * What came of the two requests: of the first its status, the length of its text, its notes, and what was held near its end
 * beyond what was held as it began; all bytes of both.
 */
type Told = [status: string, length: number, notes: string[], held: number, bytes: number, next: string];

/**
 * Asks each agent twice, in a process of its own that has so much memory and no more: one that wants more ends with an
 * error. An agent is its address, its protocol and about how many bytes it sends.
 */
async function askApart(agents: readonly string[]): Promise<readonly Told[]> {
  const options = [
    '--expose-gc',
    '--no-incremental-marking',
    `--max-old-space-size=${MEMORY}`,
    SELF,
    ...agents,
  ];
  return JSON.parse((await promisify(execFile)(process.execPath, options)).stdout) as Told[];
}

/** What the program holds, in bytes. */
function countHeld(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

async function askTwice(origin: string, protocol: ProtocolName, size: number): Promise<Told> {
  const connection = connectAgent(agentAt(protocol, `${origin}/`));
  const notes: string[] = [];
  let bytes = 0;
  const held: number[] = [];
  const observe = (length: number): void => {
    if (held.length === 0 || (held.length === 1 && bytes > 0.9 * size)) held.push(countHeld());
    bytes += length;
  };
  const listener = {
    head: () => undefined,
    bytes: (direction: string, piece: Uint8Array) => observe(direction === 'in' ? piece.length : 0),
    note: (text: string) => void notes.push(text),
    progress: () => undefined,
  };
  const script = HAND_SCRIPTS[protocol];
  const { signal } = new AbortController();
  const { status, text } = await connection.send({ wireText: script.hang.request }, listener, signal);
  const next = await connection.send({ wireText: script.call.request }, listener, signal);
  await connection.close();
  const [start = 0, end = Infinity] = held;
  return [status, text.length, notes, end - start, bytes, next.status];
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
  const reported: Told[] = [];
  for (const agent of process.argv.slice(2)) {
    const [origin = '', protocol, size] = agent.split(' ');
    if (protocol === 'aicf' || protocol === 'mcp' || protocol === 'a2a')
      reported.push(await askTwice(origin, protocol, Number(size)));
  }
  process.stdout.write(JSON.stringify(reported));
} else
  describe('an agent that sends many tiny events', () => {
    let reported: readonly Told[] = [];
    before(async () => {
      const agents = FLOODS.map(async attack => {
        const { protocol, one, count } = attack;
        const answer = (socket: Socket, body: string): void => void flood(socket, body, attack);
        const { origin } = await startHandAgent(HAND_SCRIPTS[protocol], 0, answer);
        return `${origin} ${protocol} ${count * one.length}`;
      });
      reported = await askApart(await Promise.all(agents));
    });
    after(closeRawAgents);

    for (const [index, { name, one, count, length, notes }] of FLOODS.entries())
      it(`${name}: all of it in ${MEMORY} MB, and the next request works`, () => {
        const [status, ownLength, ownNotes, held = Infinity, bytes = 0, next] = reported[index] ?? [];
        assert.deepEqual([status, ownLength, ownNotes, next], ['ok', length, notes, 'ok']);
        assert.ok(bytes > count * one.replace('ID', '1').length, 'every byte was observed');
        assert.ok(held < maxHeld(count), `${held} bytes were held`);
      });
  });
