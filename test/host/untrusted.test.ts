import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { workspace, type ExtensionContext, type LogOutputChannel } from 'vscode';
import { DesktopAgents } from '../../client/src/agents/desktop-agents.ts';
import { UNTRUSTED } from '../../client/src/base/trust.ts';
import type { TraceEvent } from '../../core/events/events.ts';
import { sampleUri } from './support/parley.ts';

const LOG = { debug: () => undefined, info: () => undefined } as unknown as LogOutputChannel;

/** A secret storage that must not be used. */
const CLOSED = {
  get: () => Promise.reject(new Error('a secret was read')),
  store: () => Promise.reject(new Error('a secret was kept')),
  delete: () => Promise.reject(new Error('a secret was forgotten')),
};

describe('agents in a workspace that is not trusted', () => {
  const file = sampleUri('.vscode/agents.json');
  const trusted = Object.getOwnPropertyDescriptor(workspace, 'isTrusted');
  let before: Uint8Array;
  let folder: string;
  let server: Server;
  let requests: string[];
  let events: TraceEvent[];
  let agents: DesktopAgents;

  beforeEach(async () => {
    before = await workspace.fs.readFile(file);
    folder = await mkdtemp(join(tmpdir(), 'parley-untrusted-'));
    requests = [];
    events = [];
    server = createServer((request, response) => {
      requests.push(request.url ?? '');
      response.end();
    });
    await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const script = `require('node:fs').writeFileSync(${JSON.stringify(join(folder, 'started'))}, '')`;
    const all = {
      remote: { protocol: 'mcp', type: 'http', url, headers: { 'X-Token': '${secret:t}' } },
      local: { protocol: 'mcp', type: 'stdio', command: 'node', args: ['-e', script] },
      demo: { protocol: 'aicf', type: 'http', url: '${demo:toolbox}' },
    };
    await workspace.fs.writeFile(file, new TextEncoder().encode(JSON.stringify({ agents: all })));
    Object.defineProperty(workspace, 'isTrusted', { configurable: true, get: () => false });
    agents = new DesktopAgents(
      { secrets: CLOSED, globalState: {}, workspaceState: {} } as unknown as ExtensionContext,
      LOG,
      event => events.push(event),
    );
  });

  afterEach(async () => {
    if (trusted) Object.defineProperty(workspace, 'isTrusted', trusted);
    agents.dispose();
    await workspace.fs.writeFile(file, before);
    await new Promise<void>(resolve => void server.close(() => resolve()));
    await rm(folder, { recursive: true });
  });

  /** After each of them nothing was started, sent or traced. */
  function checkNothingDone(): void {
    assert.deepEqual([requests, events, existsSync(join(folder, 'started'))], [[], [], false]);
  }

  const NAMES = ['remote', 'local', 'demo'] as const;
  const never = new AbortController().signal;

  it('are listed all the same', async () => {
    const { agents: listed, problems } = await agents.list();
    assert.deepEqual([listed.map(({ name }) => name).toSorted(), problems], [[...NAMES].toSorted(), []]);
    checkNothingDone();
  });

  it('are sent no request, whether it comes from a file, a form or the composer', async () => {
    for (const agent of NAMES) {
      const outcome = await agents.call(
        { agent, title: 'x', wireText: 'LIST', language: 'aicf', warningPolicy: 'send', timeout: 1 },
        () => assert.fail('a call began'),
        never,
      );
      assert.deepEqual(outcome, { status: 'error', text: '', message: UNTRUSTED, isProtocol: false });
    }
    checkNothingDone();
  });

  it('are not connected to, nor asked for their tools again', async () => {
    for (const agent of NAMES) {
      for (const capabilities of [await agents.connect(agent), await agents.connect(agent)])
        assert.deepEqual(
          [capabilities.state, capabilities.tools, capabilities.problem],
          ['failed', undefined, UNTRUSTED],
        );
    }
    checkNothingDone();
  });

  it('are not looked at by the doctor, which says why', async () => {
    for (const agent of NAMES) {
      const reported = await agents.diagnose(agent, () => assert.fail('a step was taken'), never);
      assert.equal(
        reported?.split('\n')[2],
        `Likely cause (agents file): ${UNTRUSTED.replace(/\.$/, '')}.`,
        reported,
      );
    }
    checkNothingDone();
  });

  it('start no demo agents, look no variable up and keep no secret', async () => {
    const scope = { variables: [], requests: [], below: [] };
    assert.deepEqual(
      await agents.resolve({
        agent: 'remote',
        language: 'aicf',
        wireText: 'CALL|x|{{secret t}}',
        scope,
        reply: () => undefined,
        uri: 'file:///x.aicf',
      }),
      { ok: false, problems: [UNTRUSTED] },
    );
    assert.equal(await agents.moveCredential('remote', { name: 't', value: 'v' }), UNTRUSTED);
    await assert.rejects(agents.startDemo(), { message: UNTRUSTED });
    checkNothingDone();
  });

  it('are not signed out of, because that asks their server', async () => {
    assert.deepEqual([await agents.signOut('remote'), await agents.signOut('local')], [UNTRUSTED, UNTRUSTED]);
    checkNothingDone();
  });
});
