import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, describe, it } from 'mocha';
import { connectAgent } from '../../../agents/all.ts';
import { parseAgentsFile } from '../../../agents/config/agents-file.ts';
import { openAgent } from '../../../agents/open-agent.ts';
import type { ProtocolName } from '../../../core/catalog/protocols.ts';
import type { LanguageId } from '../../../core/catalog/languages.ts';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { MAX_VALUES } from '../../../protocols/convert/calls/value-count.ts';
import { sized } from '../../support/size.ts';
import { startHandAgent } from '../support/hand-agents.ts';
import { HAND_SCRIPTS } from '../support/hand-scripts.ts';
import { closeRawAgents, startRawAgent } from '../support/raw-agent.ts';

const MIB = 2 ** 20;
const BYTES = sized(48 * MIB, 16 * MIB);
/** How many bytes a byte of a reply may take at most, and what the program takes itself, in MB. */
const MAX_TIMES = 4;
const PROGRAM = 48;

const SELF = fileURLToPath(import.meta.url);
const HOLE = '(text)';

/** A reply of each protocol with one long text. */
const REPLIES = {
  a2a: {
    jsonrpc: '2.0',
    id: 1,
    result: { message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: HOLE }] } },
  },
  'agent-api': {
    object: 'response',
    status: 'completed',
    id: 'r',
    output: [
      {
        object: 'message',
        type: 'message',
        id: 'm',
        status: 'completed',
        role: 'assistant',
        content: [{ object: 'content', type: 'text', text: HOLE }],
      },
    ],
  },
  responses: {
    id: 'r',
    object: 'response',
    status: 'completed',
    model: 'm',
    output: [
      {
        type: 'message',
        id: 'i',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: HOLE, annotations: [] }],
      },
    ],
  },
  aio: { jsonrpc: '2.0', id: 1, trace_id: 'AIO-TR-1', result: { type: 'text', value: HOLE } },
  'json-rpc': { jsonrpc: '2.0', id: 1, result: HOLE },
} as const;

/** Most of it is ASCII, and a text of JavaScript with one other character takes two bytes for each. */
const SENTENCE = 'The quick “fox” jumps over the lazy dogs of the house. ';
/** The second byte of a character is in the next chunk. */
const ODD_CHUNK = 4_001;

interface LongReply {
  readonly protocol: ProtocolName;
  readonly type: string;
  /** Its beginning, what is in it as often as it takes, and its end. Each `ID` is that of the request. */
  readonly parts: readonly [first: string, repeated: string, last: string];
}

const AICL = '[s:protocol]:[s:LightAICL],[s:session_id]:[s:1],[s:msg_type]:';
const TEXT = SENTENCE.repeat(130);

const body = (protocol: ProtocolName, type: string, whole: string): LongReply => {
  const [first = '', last = ''] = whole.split(HOLE);
  return { protocol, type, parts: [first, TEXT, last] };
};

const stream = (protocol: ProtocolName, ...values: readonly [object, object, object]): LongReply => {
  const [first, one, last] = values.map(value => `data: ${JSON.stringify(value)}\n\n`);
  return {
    protocol,
    type: 'text/event-stream',
    parts: [first ?? '', (one ?? '').replace(HOLE, TEXT), last ?? ''],
  };
};

const MCP = '{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"(text)"}]}}';

const LONG_REPLIES: Readonly<Record<string, LongReply>> = {
  ...Object.fromEntries(
    (Object.entries(REPLIES) as [ProtocolName, object][]).map(([protocol, reply]) => [
      `${protocol}, a body`,
      body(protocol, 'application/json', JSON.stringify(reply)),
    ]),
  ),
  'aicf, a body': body('aicf', 'text/plain', `OK|${HOLE}\n`),
  'aicf, a stream': { protocol: 'aicf', type: 'text/plain', parts: ['', `STREAM|${TEXT}\n`, 'END\n'] },
  'aicl, a body': body('aicl', 'text/plain', `[d:${AICL}[s:result],[s:data]:[s:${HOLE}]]\n`),
  'mcp, a body': body('mcp', 'application/json', MCP),
  'mcp, an event': body('mcp', 'text/event-stream', `data: ${MCP}\n\n`),
  'agent-api, events': stream(
    'agent-api',
    { object: 'response', id: 'r', status: 'in_progress' },
    { object: 'content', type: 'text', delta: true, index: 0, msg_id: 'm', text: HOLE },
    { object: 'response', id: 'r', status: 'completed' },
  ),
  'a2a, events': stream(
    'a2a',
    {
      jsonrpc: '2.0',
      id: 1,
      result: { kind: 'task', id: 't', contextId: 'c', status: { state: 'working' } },
    },
    {
      jsonrpc: '2.0',
      id: 1,
      result: {
        kind: 'artifact-update',
        taskId: 't',
        contextId: 'c',
        append: true,
        artifact: { artifactId: 'a', parts: [{ kind: 'text', text: HOLE }] },
      },
    },
    {
      jsonrpc: '2.0',
      id: 1,
      result: {
        kind: 'status-update',
        taskId: 't',
        contextId: 'c',
        status: { state: 'completed' },
        final: true,
      },
    },
  ),
  'responses, events': stream(
    'responses',
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { type: 'message', id: 'm', role: 'assistant', status: 'in_progress', content: [] },
    },
    { type: 'response.output_text.delta', item_id: 'm', output_index: 0, content_index: 0, delta: HOLE },
    { type: 'response.completed', response: { id: 'r', object: 'response', status: 'completed' } },
  ),
};

function* bytesOf({ parts: [first, repeated, last] }: LongReply, id: string): Generator<Buffer> {
  yield Buffer.from(first.replace('ID', id));
  const bytes = Buffer.from(repeated);
  for (let sent = 0; sent < BYTES; sent += bytes.length)
    for (let at = 0; at < bytes.length; at += ODD_CHUNK) yield bytes.subarray(at, at + ODD_CHUNK);
  yield Buffer.from(last);
}

async function answer(socket: Socket, type: string, pieces: Iterable<Buffer>): Promise<void> {
  socket.write(`HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nConnection: close\r\n\r\n`);
  for (const piece of pieces) {
    if (!socket.writable) return;
    if (!socket.write(piece)) await new Promise<void>(resolve => socket.once('drain', resolve));
  }
  socket.end();
}

/** Answers each call with this reply; an MCP server also greets. */
async function serve(reply: LongReply): Promise<string> {
  const say = (socket: Socket, request: string): void => {
    const id = /"id":("[^"]*"|\d+)/.exec(request)?.[1] ?? '1';
    void answer(socket, reply.type, bytesOf(reply, id));
  };
  const agent =
    reply.protocol === 'mcp'
      ? await startHandAgent(HAND_SCRIPTS.mcp, 0, say)
      : await startRawAgent(socket => say(socket, ''));
  return agent.origin;
}

/**
 * Sends one request in a process that has so much memory and no more: one that needs more ends with an error. Without
 * incremental marking, each collection of garbage is complete, so that only what is in use counts.
 */
async function askApart(memory: number, ...words: readonly string[]): Promise<string> {
  const options = [`--max-old-space-size=${Math.ceil(memory)}`, '--no-incremental-marking', SELF];
  return (await promisify(execFile)(process.execPath, [...options, ...words])).stdout;
}

const REQUESTS: Readonly<Record<string, string>> = {
  aicl: '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:1],[s:msg_type]:[s:task_request],[s:task]:[s:Read],[s:constraints]:[d:]]',
  aicf: 'CALL|read',
};

async function ask(url: string, protocol: string, language: string): Promise<void> {
  const nothing = (): undefined => undefined;
  const config = { type: 'http', protocol, url };
  const { agents } = parseAgentsFile(JSON.stringify({ agents: { agent: config } }));
  const agent = agents.get('agent');
  if (!agent) throw new Error(`The agent of ${protocol} cannot be read`);
  const opened = await openAgent(
    agent,
    { env: nothing, demo: nothing, input: nothing, secret: nothing, workspaceFolder: nothing },
    nothing,
    {
      protocols: ALL_PROTOCOLS,
      connect: connectAgent,
      language: language as LanguageId,
      warningPolicy: 'send',
    },
  );
  if (!opened.ok) throw new Error(opened.message);
  const { status, code, text } = await opened.send(
    { wireText: REQUESTS[language] ?? '' },
    { head: nothing, bytes: nothing, note: nothing, progress: nothing },
    new AbortController().signal,
  ).reply;
  process.stdout.write([status, code ?? '', text.length > 0.8 * BYTES ? 'long' : text.length].join(' '));
}

const [, program, ...given] = process.argv;
if (program === SELF) await ask(given[0] ?? '', given[1] ?? '', given[2] ?? '');
else
  describe('the memory for a long reply', () => {
    afterEach(closeRawAgents);

    for (const [name, reply] of Object.entries(LONG_REPLIES))
      for (const language of ['aicl', 'aicf'])
        it(`is at most ${MAX_TIMES} times its bytes: ${name}, asked in ${language}`, async () => {
          const url = await serve(reply);
          const memory = PROGRAM + (MAX_TIMES * BYTES) / MIB;
          assert.equal(await askApart(memory, url, reply.protocol, language), 'ok  long');
        });

    it('does not grow with the number of its values: one with very many is shown as received', async () => {
      const values = Buffer.from(`{"jsonrpc":"2.0","id":1,"result":[0${',0'.repeat(MAX_VALUES)}]}`);
      const { origin: url } = await startRawAgent(socket => answer(socket, 'application/json', [values]));
      const memory = PROGRAM + (MAX_TIMES * values.length) / MIB;
      for (const protocol of ['json-rpc', 'a2a', 'aio'])
        assert.equal(await askApart(memory, url, protocol, 'aicl'), `incomplete TOO_LONG ${values.length}`);
    });
  });
