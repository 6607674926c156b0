import { OPEN } from './support/open-options.ts';
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { HttpAgentConfig } from '../../agents/config/agent-config.ts';
import { openAgent } from '../../agents/open-agent.ts';
import { diagnose, printDiagnosis } from '../../agents/doctor/diagnose.ts';
import type { ProtocolName } from '../../core/catalog/protocols.ts';
import type { TraceEvent } from '../../core/events/events.ts';
import { closeRawAgents, reply, startRawAgent } from './support/raw-agent.ts';
import { agentAt } from './support/send.ts';

/** Each part would tell some of it. */
const SECRET = 'k3y"p4rt\\s3c+ond/l4st';
const PARTS = ['k3y', 'p4rt', 's3c', 'ond', 'l4st', 'azN5', 'M3ki'];

/** What an agent may say to a token that it does not take: as it came, which is no JSON any more, or encoded. */
const WORDS: readonly string[] = [
  SECRET,
  JSON.stringify(SECRET).slice(1, -1),
  SECRET.replace(/[^]/g, unit => `\\u00${unit.charCodeAt(0).toString(16).toUpperCase()}`),
  encodeURIComponent(SECRET).toLowerCase(),
  Buffer.from(`x:${SECRET}`).toString('base64url'),
];

const REQUESTS: Partial<Record<ProtocolName, string>> = {
  'json-rpc': '{"jsonrpc":"2.0","id":1,"method":"aip.capabilities.list"}',
  a2a: '{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"role":"user","parts":[],"messageId":"m"}}}',
  mcp: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  aicf: 'LIST',
};

const VARIABLES = {
  env: () => undefined,
  workspaceFolder: () => undefined,
  demo: () => Promise.resolve(undefined),
  input: () => Promise.resolve(undefined),
  secret: () => Promise.resolve(SECRET),
};

describe('an agent that repeats a token which it refuses', () => {
  afterEach(closeRawAgents);

  for (const [protocol, wireText] of Object.entries(REQUESTS) as [ProtocolName, string][]) {
    it(`shows it in no trace, reply or diagnosis: ${protocol}`, async () => {
      for (const word of WORDS) {
        const body = `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"no such token ${word}"}}`;
        const { origin } = await startRawAgent(
          socket => void socket.end(reply(body, '401 Unauthorized', 'application/json')),
        );
        const events: TraceEvent[] = [];
        const config: HttpAgentConfig = {
          type: 'http',
          protocol,
          name: 'tester',
          url: `${origin}/rpc`,
          headers: new Map([['X-Token', '${secret:TOKEN}']]),
          inputs: new Map(),
          tls: {},
          span: { start: 0, end: 0 },
        };
        const opened = await openAgent(config, VARIABLES, event => events.push(event), {
          ...OPEN,
        });
        assert.ok(opened.ok);
        const shown: string[] = [];
        const wire = {
          head: (...all: unknown[]) => void shown.push(JSON.stringify(all)),
          bytes: (_: string, bytes: Uint8Array) => void shown.push(Buffer.from(bytes).toString()),
          note: (text: string) => void shown.push(text),
          progress: (text: string) => void shown.push(text),
        };
        const signal = new AbortController().signal;
        const outcome = await opened.send({ wireText }, wire, signal).reply;
        await opened.close();
        const agent = agentAt(protocol, config.url, {
          headers: new Map([['x-token', SECRET]]),
          secrets: [SECRET],
          secretHeaders: ['X-Token'],
        });
        const reported = printDiagnosis(await diagnose(agent, signal, () => undefined, OPEN));
        const all = JSON.stringify([events, shown, outcome, reported]);
        assert.deepEqual(
          PARTS.filter(part => all.includes(part)),
          [],
          `${word}: ${all}`,
        );
        assert.notEqual(outcome.status, 'ok');
        assert.match(shown.join(''), /no such token (?:e\w*)?\[redacted\]/);
      }
    });
  }
});
