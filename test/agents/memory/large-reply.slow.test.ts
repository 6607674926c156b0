import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, describe, it } from 'mocha';
import { connectAgentApi } from '../../../agents/agent-api/connection.ts';
import { askIn } from '../../../agents/converting/converting-connection.ts';
import type { WireListener } from '../../../agents/connection.ts';
import { DEFAULT_HTTP_LIMITS } from '../../../agents/http/http-connection.ts';
import { KnownTools } from '../../../agents/capabilities/known-tools.ts';
import { closeRawAgents, startRawAgent } from '../support/raw-agent.ts';
import { agentAt } from '../support/send.ts';
import { sized } from '../../support/size.ts';

const MAX_BYTES = sized(32 * 2 ** 20, 8 * 2 ** 20);
/** How many times its own size a reply may take at most, and what the program takes itself, in MB. */
const MAX_TIMES = 4;
const PROGRAM = 48;

const TASK =
  '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:1],[s:msg_type]:[s:task_request],[s:task]:[s:Read],[s:constraints]:[d:]]';

const SILENT: WireListener = {
  head: () => undefined,
  bytes: () => undefined,
  note: () => undefined,
  progress: () => undefined,
};

const SELF = fileURLToPath(import.meta.url);

/**
 * Asks in a process of its own that has so much memory and no more: one that needs more ends with an error. Without
 * incremental marking, each collection of garbage is complete, so that only what is in use counts.
 */
async function askApart(origin: string, language: string): Promise<string> {
  const memory = PROGRAM + (MAX_TIMES * MAX_BYTES) / 2 ** 20;
  const options = [`--max-old-space-size=${memory}`, '--no-incremental-marking', SELF, origin, language];
  return (await promisify(execFile)(process.execPath, options)).stdout;
}

async function ask(origin: string, language: 'aicl' | 'aicf'): Promise<void> {
  const limits = { ...DEFAULT_HTTP_LIMITS, maxBytes: MAX_BYTES };
  const connection = askIn(connectAgentApi(agentAt('agent-api', origin), limits), {
    protocols: ALL_PROTOCOLS,
    language,
    tools: new KnownTools(),
    warningPolicy: 'send',
  });
  const wireText = language === 'aicl' ? TASK : 'CALL|read';
  const { status, code, text } = await connection.send({ wireText }, SILENT, new AbortController().signal);
  process.stdout.write(`${status} ${code} ${text.length > MAX_BYTES * 0.9}`);
}

const EVENT = Buffer.from(
  `data: {"object":"content","type":"text","delta":true,"index":0,"msg_id":"m","text":"${'The quick fox. '.repeat(500)}"}\n\n`,
);

if (process.argv[1] === SELF) await ask(process.argv[2] ?? '', process.argv[3] === 'aicl' ? 'aicl' : 'aicf');
else
  describe('a reply without end', () => {
    afterEach(closeRawAgents);

    for (const language of ['aicl', 'aicf'])
      it(`takes at most ${MAX_TIMES} times the memory of what is read of it, asked in ${language}`, async () => {
        const agent = await startRawAgent(async socket => {
          socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n');
          while (socket.writable) await new Promise<void>(resolve => socket.write(EVENT, () => resolve()));
        });
        assert.equal(await askApart(agent.origin, language), 'incomplete TOO_LONG true');
      });
  });
