import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
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
const TEXT = Buffer.from('The quick “fox” jumps over the lazy dogs of the house. '.repeat(1_000));
/** The second byte of a character is in the next chunk. */
const ODD_CHUNK = 4_001;

function* bodyOf(reply: object): Generator<Buffer> {
  const [before = '', after = ''] = JSON.stringify(reply).split(HOLE);
  yield Buffer.from(before);
  for (let sent = 0; sent < BYTES; sent += TEXT.length)
    for (let at = 0; at < TEXT.length; at += ODD_CHUNK) yield TEXT.subarray(at, at + ODD_CHUNK);
  yield Buffer.from(after);
}

/** Answers each request with this body. */
async function serve(body: () => Iterable<Buffer>): Promise<string> {
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n';
  const { origin } = await startRawAgent(async socket => {
    socket.write(head);
    for (const piece of body()) {
      if (!socket.writable) return;
      if (!socket.write(piece)) await new Promise<void>(resolve => socket.once('drain', resolve));
    }
    socket.end();
  });
  return origin;
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
  describe('the memory for a reply that is one long value', () => {
    afterEach(closeRawAgents);

    for (const [protocol, reply] of Object.entries(REPLIES) as [ProtocolName, object][])
      for (const language of ['aicl', 'aicf'])
        it(`is at most ${MAX_TIMES} times its bytes: ${protocol}, asked in ${language}`, async () => {
          const url = await serve(() => bodyOf(reply));
          const memory = PROGRAM + (MAX_TIMES * BYTES) / MIB;
          assert.equal(await askApart(memory, url, protocol, language), 'ok  long');
        });

    it('does not grow with the number of its values: one with very many is shown as received', async () => {
      const values = Buffer.from(`{"jsonrpc":"2.0","id":1,"result":[0${',0'.repeat(MAX_VALUES)}]}`);
      const url = await serve(() => [values]);
      const memory = PROGRAM + (MAX_TIMES * values.length) / MIB;
      for (const protocol of ['json-rpc', 'a2a', 'aio'])
        assert.equal(await askApart(memory, url, protocol, 'aicl'), `incomplete TOO_LONG ${values.length}`);
    });
  });
