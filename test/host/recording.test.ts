import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'mocha';
import {
  ConfigurationTarget,
  commands,
  env,
  workspace,
  type ExtensionContext,
  type LogOutputChannel,
  type Memento,
} from 'vscode';
import { DesktopAgents } from '../../client/src/agents/desktop-agents.ts';
import type { CallEvent } from '../../core/events/events.ts';
import { Recordings } from '../../client/src/agents/recordings.ts';
import type { RecordingStart } from '../../client/src/services/recording-service.ts';
import { UNTRUSTED } from '../../client/src/base/trust.ts';
import {
  activateParley,
  closeEditors,
  openScratch,
  sendRequest,
  withAgent,
  withAgents,
  withEntries,
  inTime,
  until,
} from './support/parley.ts';

const LOG = { debug: () => undefined, info: () => undefined } as unknown as LogOutputChannel;

/** Where no process is recorded. */
const NO_TAPS = { key: 'nowhere', program: 'none', settled: () => Promise.resolve() };

/** What is remembered from window to window, here in memory. */
function createMemory(): Memento {
  const stored = new Map<string, unknown>();
  return {
    keys: () => [...stored.keys()],
    get: (key: string) => stored.get(key),
    update: (key: string, value: unknown) => Promise.resolve(void stored.set(key, value)),
  };
}

describe('a recording of an agent', () => {
  let server: Server;
  let port = 0;
  beforeEach(async () => {
    server = createServer((request, response) => {
      request.resume().on('end', () => response.setHeader('content-type', 'text/plain').end('TOOLS|a|b'));
    });
    await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
    await closeEditors();
  });

  it('shows what passes it as a live trace, gives its address away and stops', async () => {
    const api = await activateParley();
    await withAgent('recorded', `http://127.0.0.1:${port}/aicf`, async () => {
      const started = await commands.executeCommand<RecordingStart>('parley.recordAgent', {
        agent: 'recorded',
        options: [],
      });
      assert.ok(started.ok, JSON.stringify(started));
      const { address, to } = started.recording;
      assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/aicf$/);
      assert.equal(to, `http://127.0.0.1:${port}/aicf`);
      const reply = await fetch(address, { method: 'POST', body: 'LIST' });
      assert.equal(await reply.text(), 'TOOLS|a|b');
      const find = (): readonly string[] =>
        api
          .traces()
          .flatMap(({ roots }) => roots)
          .filter(({ call }) => call.agent === 'recorded')
          .map(({ call, status }) => `${call.protocol} ${call.title} ${status} ${call.seen ?? ''}`);
      await until('the recorded call', () => find().some(line => line.includes(' ok ')));
      assert.deepEqual(find(), ['aicf LIST ok between']);
      assert.equal(await commands.executeCommand('parley.copyRecordingAddress', 'recorded'), address);
      assert.equal(await env.clipboard.readText(), address);
      await commands.executeCommand('parley.stopRecording', 'recorded');
      await assert.rejects(fetch(address, { method: 'POST', body: 'LIST' }));
    });
  });

  it('takes requests of web pages from the origins that were named, and from no others', async () => {
    await activateParley();
    await withAgent('paged', `http://127.0.0.1:${port}/aicf`, async () => {
      const record = (origins: readonly string[]): Thenable<RecordingStart> =>
        commands.executeCommand('parley.recordAgent', { agent: 'paged', options: [], origins });
      const wrong = await record(['localhost:3000']);
      assert.deepEqual(
        [wrong.ok, !wrong.ok && wrong.message],
        [
          false,
          "'localhost:3000' is not an origin of web pages: name http://HOST:PORT or https://HOST, without a path.",
        ],
      );
      const started = await record(['http://localhost:3000']);
      assert.ok(started.ok, JSON.stringify(started));
      const call = async (origin: string): Promise<number> => {
        const headers = { origin, 'content-type': 'text/plain' };
        const reply = await fetch(started.recording.address, { method: 'POST', body: 'LIST', headers });
        await reply.text();
        return reply.status;
      };
      const statuses = [await call('http://localhost:3000'), await call('https://evil.example')];
      await commands.executeCommand('parley.stopRecording', 'paged');
      assert.deepEqual(statuses, [200, 403]);
    });
  });

  it('runs between demo agents that call one another: the trace shows the loop', async () => {
    const api = await activateParley();
    const document = await openScratch('loop.aicf', '# @agent loop\nCALL|ask|Who was it?\n');
    const sent = await sendRequest(document, 'CALL|ask');
    assert.ok(sent);
    const listAgents = (): readonly string[] => {
      const agents: string[] = [];
      const tree = api.traces().find(({ roots }) => roots[0]?.call.call === sent.call);
      for (let at = tree?.roots[0]; at; at = at.children[0]) agents.push(at.call.agent);
      return agents;
    };
    // What a recording saw comes a little later than the reply.
    await until('seven calls below one another', () => listAgents().length >= 7);
    assert.deepEqual(listAgents(), ['loop', 'loop-b', 'loop-c', 'loop', 'loop-b', 'loop-c', 'loop']);
  });

  it('of a process shows live what passes where another program starts it', async () => {
    const api = await activateParley();
    const started = await commands.executeCommand<RecordingStart>('parley.recordAgent', { agent: 'clerk' });
    assert.ok(started.ok, JSON.stringify(started));
    const { address, to, port } = started.recording;
    assert.deepEqual([to, port], ['node ${demo:clerk} demo --stdio', undefined]);
    const [, program = '', socket = ''] =
      /^node (.+cli\.js) record --name clerk --live (\S+) -- (.*)$/.exec(address) ?? [];
    assert.ok(address.endsWith(` -- ${to}`), address);
    // It answers when the second line is there.
    const agent = `let held; process.stdin.on('data', data => { for (const line of String(data).trim().split('\\n'))
      if (held) console.log(held); else held = JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(line).id, result: {} }); })`;
    const words = ['record', '--name', 'clerk', '--live', socket, '--', process.execPath, '-e', agent];
    const tapped = spawn(process.execPath, [program, ...words], { stdio: 'pipe' });
    const untilFound = async (expected: string): Promise<void> => {
      const find = (): readonly string[] =>
        api
          .traces()
          .flatMap(({ roots }) => roots)
          .filter(({ call }) => call.agent === 'clerk')
          .map(({ call, status }) => `${call.protocol} ${call.title} ${status}`);
      await until(expected, () => find().includes(expected));
    };
    tapped.stdin.write('{"jsonrpc":"2.0","id":7,"method":"tools/list"}\n');
    await untilFound('mcp tools/list open');
    tapped.stdin.write('{"jsonrpc":"2.0","method":"notifications/x"}\n');
    await untilFound('mcp tools/list ok');
    assert.equal(await commands.executeCommand('parley.copyRecordingAddress', 'clerk'), address);
    await commands.executeCommand('parley.stopRecording', 'clerk');
    tapped.stdin.end();
    await once(tapped, 'close');
  });

  it('of a process is known for one whatever its command begins with', async () => {
    await activateParley();
    const command = '${workspaceFolder}/agent';
    await withEntries({ wanderer: { protocol: 'mcp', type: 'stdio', command } }, async () => {
      const started = await commands.executeCommand<RecordingStart>('parley.recordAgent', {
        agent: 'wanderer',
        options: [],
      });
      assert.ok(started.ok, JSON.stringify(started));
      assert.deepEqual([started.recording.to, started.recording.port], [command, undefined]);
      await commands.executeCommand('parley.stopRecording', 'wanderer');
    });
  });

  it('is started once for two requests, and no port of it stays open', async () => {
    const context = { secrets: {}, globalState: {}, workspaceState: {} } as unknown as ExtensionContext;
    const agents = new DesktopAgents(context, LOG, () => undefined);
    const recordings = new Recordings(agents, () => undefined, createMemory(), NO_TAPS);
    try {
      await withAgent('recorded', `http://127.0.0.1:${port}/aicf`, async () => {
        const wish = { agent: 'recorded', options: [] };
        const [first, second] = await Promise.all([recordings.start(wish), recordings.start(wish)]);
        assert.ok(first.ok, JSON.stringify(first));
        assert.deepEqual(second, first);
        await recordings.stop('recorded');
        await assert.rejects(fetch(first.recording.address, { method: 'POST', body: 'LIST' }));
      });
    } finally {
      recordings.dispose();
      agents.dispose();
    }
  });

  it('takes the port that it had, and says where another window has it', async () => {
    const context = { secrets: {}, globalState: {}, workspaceState: {} } as unknown as ExtensionContext;
    const agents = new DesktopAgents(context, LOG, () => undefined);
    const memory = createMemory();
    const [one, other] = [1, 2].map(() => new Recordings(agents, () => undefined, memory, NO_TAPS));
    try {
      await withAgent('recorded', `http://127.0.0.1:${port}/aicf`, async () => {
        const first = await one?.start({ agent: 'recorded', options: [] });
        assert.ok(first?.ok, JSON.stringify(first));
        const taken = first.recording.port;
        const second = await other?.start({ agent: 'recorded', options: [] });
        const freePort = second && !second.ok ? second.freePort : undefined;
        assert.deepEqual(second, {
          ok: false,
          message: `Port ${taken} is taken by another program; port ${freePort} is free`,
          freePort,
        });
        await one?.stop('recorded');
        const third = await other?.start({ agent: 'recorded', options: [] });
        assert.deepEqual(third, first);
      });
    } finally {
      one?.dispose();
      other?.dispose();
      agents.dispose();
    }
  });

  it('guards one loop through several recordings, by the limit of the moment', async () => {
    const calls: CallEvent[] = [];
    const observed = new EventEmitter();
    const context = { secrets: {}, globalState: {}, workspaceState: {} } as unknown as ExtensionContext;
    const agents = new DesktopAgents(context, LOG, event => {
      if (event.type === 'call') observed.emit('call', calls.push(event));
    });
    const recordings = new Recordings(agents, () => undefined, createMemory(), NO_TAPS);
    const trace = 'f'.repeat(32);
    const chain: string[] = [];
    const addresses = new Map<string, string>();
    const ask = async (agent: string, parent: string): Promise<string> => {
      const reply = await fetch(addresses.get(agent) ?? '', {
        method: 'POST',
        headers: { 'content-type': 'application/json', traceparent: `00-${trace}-${parent}-01` },
        body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask","arguments":{}}}',
      });
      return reply.text();
    };
    // The id of the call that a request belongs to: the recording may report a call after it passed the request on.
    const findCall = async (parent: string | undefined): Promise<string> => {
      for (;;) {
        const found = calls.find(({ names }) => names?.some(name => name.parent === parent));
        if (found) return found.call;
        await once(observed, 'call');
      }
    };
    // Each agent names the call that it serves, and does not count calls.
    const loop = createServer((request, response) => {
      const [agent, other] = request.url === '/one' ? ['one', 'two'] : ['two', 'one'];
      chain.push(agent);
      const [, , parent] = String(request.headers['traceparent']).split('-');
      const reply = findCall(parent).then(call =>
        chain.length < 20 ? ask(other, call) : 'no call was refused',
      );
      request.resume();
      void reply.then(text => response.setHeader('content-type', 'application/json').end(text));
    });
    await new Promise<void>(resolve => void loop.listen(0, '127.0.0.1', resolve));
    const urlOf = (agent: string): string =>
      `http://127.0.0.1:${(loop.address() as AddressInfo).port}/${agent}`;
    const settings = workspace.getConfiguration('parley');
    const refusal = (depth: number, limit: number): unknown => ({
      jsonrpc: '2.0',
      id: 1,
      error: {
        code: -33007,
        message: `Recursion limit reached: depth ${depth}, limit ${limit}. The call was not forwarded`,
      },
    });
    try {
      await withAgents({ one: urlOf('one'), two: urlOf('two') }, 'mcp', async () => {
        for (const agent of ['one', 'two']) {
          const started = await recordings.start({ agent, options: ['guard'] });
          assert.ok(started.ok, JSON.stringify(started));
          addresses.set(agent, started.recording.address);
        }
        assert.deepEqual(JSON.parse(await inTime('one', ask('one', 'e'.repeat(16)))), refusal(6, 5));
        assert.deepEqual(chain.splice(0), ['one', 'two', 'one', 'two', 'one', 'two']);
        await settings.update('trace.depthLimit', 2, ConfigurationTarget.Global);
        assert.deepEqual(JSON.parse(await inTime('two', ask('two', 'd'.repeat(16)))), refusal(3, 2));
        assert.deepEqual(chain, ['two', 'one', 'two']);
      });
    } finally {
      await settings.update('trace.depthLimit', undefined, ConfigurationTarget.Global);
      recordings.dispose();
      agents.dispose();
      loop.closeAllConnections();
      loop.close();
    }
  });

  it('is refused in a workspace that is not trusted', async () => {
    const trusted = Object.getOwnPropertyDescriptor(workspace, 'isTrusted');
    Object.defineProperty(workspace, 'isTrusted', { configurable: true, get: () => false });
    const context = { secrets: {}, globalState: {}, workspaceState: {} } as unknown as ExtensionContext;
    const agents = new DesktopAgents(context, LOG, () => undefined);
    const recordings = new Recordings(agents, () => undefined, createMemory(), NO_TAPS);
    try {
      await withAgent('recorded', `http://127.0.0.1:${port}/aicf`, async () => {
        const process = { commandLine: 'node agent.js' };
        for (const way of [{}, process])
          assert.deepEqual(await recordings.start({ agent: 'recorded', options: [], ...way }), {
            ok: false,
            message: UNTRUSTED,
          });
        assert.deepEqual(recordings.list(), []);
      });
    } finally {
      if (trusted) Object.defineProperty(workspace, 'isTrusted', trusted);
      recordings.dispose();
      agents.dispose();
    }
  });
});
