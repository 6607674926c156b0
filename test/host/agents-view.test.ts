import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'mocha';
import {
  commands,
  env,
  languages,
  Position,
  Selection,
  ThemeIcon,
  MarkdownString,
  TreeItemCollapsibleState,
  Uri,
  window,
  workspace,
  type ExtensionContext,
  type LogOutputChannel,
  type Memento,
} from 'vscode';
import { buildAgentRow } from '../../client/src/features/agents/agent-items.ts';
import { listRows, type AgentRow } from '../../client/src/features/agents/agent-rows.ts';
import type { AgentInfo, AgentCapabilities, ToolInfo } from '../../client/src/services/agent-service.ts';
import { DesktopAgents } from '../../client/src/agents/desktop-agents.ts';
import { LastCalls, type LastCall } from '../../client/src/features/agents/last-calls.ts';
import { TraceStore } from '../../client/src/trace/trace-store.ts';
import type { TraceEvent } from '../../core/events/events.ts';
import { ask } from './support/editor.ts';
import {
  activateParley,
  inTime,
  closeEditors,
  openScratch,
  outcomeOf,
  sampleUri,
  withAgent,
} from './support/parley.ts';

const LOG = { debug: () => undefined, info: () => undefined } as unknown as LogOutputChannel;

/** An agent that lists given tools. */
let tools: ReadonlyMap<string, string>;
let server: Server;
let before: Uint8Array;
const file = sampleUri('.vscode/agents.json');

function answer(request: string): string {
  const [command, name = ''] = request.split('|');
  if (command === 'LIST') return ['TOOLS', ...tools.keys()].join('|');
  const declared = tools.get(name);
  if (command === 'INFO') return declared ? `TOOL|${name}|${declared}` : 'ERR|404|Unknown tool';
  return 'OK|1';
}

function context(): ExtensionContext {
  const values = new Map<string, unknown>();
  const state = {
    keys: () => [...values.keys()],
    get: (key: string) => values.get(key),
    update: (key: string, value: unknown) => Promise.resolve(void values.set(key, value)),
  } as unknown as Memento;
  return {
    secrets: {},
    globalState: state,
    workspaceState: state,
    extensionUri: Uri.file('/'),
  } as unknown as ExtensionContext;
}

function draw(rows: readonly AgentRow[], capabilities: AgentCapabilities): readonly unknown[] {
  return rows.map(row => {
    const item = buildAgentRow(row, { capabilities, last: undefined, idle: [] });
    return [item.label, item.description, item.contextValue];
  });
}

describe('the Agents view', () => {
  beforeEach(async () => {
    tools = new Map([
      ['build', 'Builds it|target:string|clean:boolean?'],
      ['check', 'Checks it'],
    ]);
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (piece: Buffer) => (body += piece.toString()));
      request.on('end', () => response.end(answer(body)));
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    before = await workspace.fs.readFile(file);
    const agents = {
      builder: {
        protocol: 'aicf',
        type: 'http',
        url: `http://127.0.0.1:${port}/`,
        headers: { Authorization: 'Bearer abc' },
        quirks: 'off',
      },
      nobody: { protocol: 'aicf', type: 'http', url: 'http://127.0.0.1:9/' },
    };
    await workspace.fs.writeFile(file, new TextEncoder().encode(JSON.stringify({ agents })));
  });
  afterEach(async () => {
    await closeEditors();
    await workspace.fs.writeFile(file, before);
    server.closeAllConnections();
    server.close();
  });

  it('shows an agent from its first word to its last', async () => {
    const events: TraceEvent[] = [];
    const agents = new DesktopAgents(context(), LOG, event => events.push(event));
    const states: string[] = [];
    agents.onDidChangeCapabilities(name => states.push(`${name} ${agents.capabilities(name).state}`));
    try {
      const [agent] = (await agents.list()).agents;
      assert.ok(agent);
      const row: AgentRow = { kind: 'agent', agent, file };
      assert.equal(events.length, 0);
      const first = await agents.connect('builder');
      assert.deepEqual(draw([row, ...listRows(row, first)], first), [
        ['builder', 'aicf · connected', 'agent.connected'],
        ['build', '(target, clean?)', 'tool'],
        ['check', '()', 'tool'],
      ]);
      // All that was asked is one call.
      assert.deepEqual(
        events.filter(event => event.type === 'call').map(event => event.title),
        ['LIST'],
      );
      tools = new Map([
        ['check', 'Checks all of it'],
        ['deploy', 'Puts it there'],
      ]);
      const second = await agents.connect('builder');
      assert.deepEqual(second.change, { added: ['deploy'], removed: ['build'], changed: ['check'] });
      assert.deepEqual(draw([row], second), [
        ['builder', 'aicf · connected · 1 new, 1 gone, 1 changed', 'agent.connected'],
      ]);
      await agents.disconnect('builder');
      const item = buildAgentRow(row, {
        capabilities: agents.capabilities('builder'),
        last: undefined,
        idle: [],
      });
      assert.deepEqual(
        [item.description, item.contextValue, item.collapsibleState],
        ['aicf · not connected', 'agent.idle', TreeItemCollapsibleState.None],
      );
      assert.deepEqual(states, [
        'builder connecting',
        'builder connected',
        'builder connecting',
        'builder connected',
        'builder idle',
      ]);
    } finally {
      agents.dispose();
    }
  });

  it('describes a tool with a line per argument', () => {
    const agent: AgentInfo = { name: 'a', protocol: 'mcp', type: 'http', address: '', file, line: 0 };
    const declared = [
      { name: 'city', type: 'string', isOptional: false, repeats: false, description: 'Where' },
      { name: 'days', type: 'integer', isOptional: true, repeats: false },
    ];
    const tool = {
      name: 'forecast',
      description: 'Tells the weather',
      declaration: { arguments: declared },
      schema: '{}',
    } as unknown as ToolInfo;
    const capabilities = { state: 'connected' } as unknown as AgentCapabilities;
    const { tooltip } = buildAgentRow(
      { kind: 'tool', agent, tool },
      { capabilities, last: undefined, idle: [] },
    );
    assert.ok(tooltip instanceof MarkdownString);
    assert.deepEqual(tooltip.value.replaceAll('&nbsp;', ' ').split('\n\n'), [
      'Tells the weather',
      'city: string – Where',
      'days: integer, optional',
    ]);
  });

  it('says why an agent could not be reached', async () => {
    const agents = new DesktopAgents(context(), LOG, () => undefined);
    try {
      const capabilities = await agents.connect('nobody');
      const agent = (await agents.list()).agents[1];
      assert.ok(agent);
      const row: AgentRow = { kind: 'agent', agent, file };
      const [shown, remark] = draw(
        [row, ...listRows(row, capabilities)],
        capabilities,
      ) as readonly (readonly string[])[];
      assert.deepEqual(shown, ['nobody', 'aicf · failed', 'agent.failed']);
      assert.match(remark?.[0] ?? '', /nothing listens there|refused/i);
    } finally {
      agents.dispose();
    }
  });

  it('forgets why an agent could not be reached once its entry changed', async () => {
    const agents = new DesktopAgents(context(), LOG, () => undefined);
    const traces = new TraceStore();
    const calls = new LastCalls(traces);
    try {
      await agents.list();
      assert.equal((await agents.connect('nobody')).state, 'failed');
      const node = { trace: 't', call: 'c', at: 1 } as const;
      traces.add({ ...node, type: 'call', agent: 'nobody', protocol: 'aicf', title: 'x' });
      traces.add({ type: 'end', call: 'c', at: 2, status: 'error', code: 'TIMEOUT' });
      assert.equal(calls.get('nobody')?.code, 'TIMEOUT');
      const changed = new Promise<string>(resolve => void agents.onDidChangeCapabilities(resolve));
      const text = Buffer.from(await workspace.fs.readFile(file)).toString();
      await workspace.fs.writeFile(file, Buffer.from(text.replace('127.0.0.1:9/', '127.0.0.1:9/aicf')));
      assert.equal(await inTime('the change', changed), 'nobody');
      assert.equal(agents.capabilities('nobody').state, 'idle');
      calls.forget('nobody');
      assert.equal(calls.get('nobody'), undefined);
    } finally {
      calls.dispose();
      agents.dispose();
    }
  });

  it('feeds checks, and writes calls of tools into files and onto the clipboard', async () => {
    await activateParley();
    const document = await openScratch('calls.aicf', '# @agent builder\nCALL|biuld|x\n');
    const editor = await window.showTextDocument(document);
    await commands.executeCommand('parley.connectAgent', 'builder');
    const found = await ask('the warning', () =>
      Promise.resolve(
        languages.getDiagnostics(document.uri).find(({ message }) => message.includes('as it reported at')),
      ),
    );
    assert.match(
      found.message,
      /^Agent 'builder' lists no tool 'biuld', as it reported at \d\d:\d\d; did you mean 'build'\? \(error 404\)$/,
    );
    editor.selection = new Selection(new Position(1, 3), new Position(1, 3));
    await commands.executeCommand('parley.insertCall', { agent: 'builder', tool: 'build' });
    assert.equal(
      document.getText(),
      '# @agent builder\nCALL|biuld|x\n\n# @agent builder\nCALL|build|target\n\n',
    );
    const copied = await commands.executeCommand<string>(
      'parley.copyCall',
      { agent: 'builder', tool: 'build' },
      'curl',
    );
    const { port } = server.address() as AddressInfo;
    assert.deepEqual(copied.split(' \\\n  '), [
      `curl "http://127.0.0.1:${port}/"`,
      '-H "Content-Type: text/plain"',
      '-H "Accept: text/plain, */*;q=0.5"',
      '-H "Authorization: Bearer $TOKEN"',
      "--data-raw 'CALL|build|target'",
    ]);
    assert.equal(await env.clipboard.readText(), copied);
    // Pasted again, it goes to the agent with its address.
    const pasted = await openScratch('pasted.aicf', '');
    await window.showTextDocument(pasted);
    await commands.executeCommand('parley.pasteMessages', pasted.uri.toString(), { line: 0, character: 0 });
    assert.equal(pasted.getText().trim(), '# @agent builder\nCALL|build|target');
    await commands.executeCommand('parley.disconnectAgent', 'builder');
    await ask('the end of the warning', () =>
      Promise.resolve(
        languages
          .getDiagnostics(document.uri)
          .every(({ message }) => !message.includes('as it reported at')) || undefined,
      ),
    );
  });

  it('says of an agent that cannot list its tools that it does not, also after a call', async () => {
    const talker = createServer((request, response) => {
      request.resume();
      response.setHeader('content-type', 'application/json');
      response.end('{"id":"resp_1","object":"response","status":"completed","output":[]}');
    });
    await new Promise<void>(resolve => talker.listen(0, '127.0.0.1', resolve));
    const agents = new DesktopAgents(context(), LOG, () => undefined);
    const run = async (): Promise<void> => {
      const task =
        '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s],[s:msg_type]:[s:task_request],[s:task]:[s:Hello],[s:constraints]:[d:]]';
      const call = agents.call(
        {
          agent: 'talker',
          title: 'Hello',
          wireText: task,
          language: 'aicl',
          warningPolicy: 'hold',
          timeout: undefined,
        },
        () => undefined,
        new AbortController().signal,
      );
      const outcome = await outcomeOf(call);
      const agent = (await agents.list()).agents.find(({ name }) => name === 'talker');
      assert.ok(agent);
      const capabilities = agents.capabilities('talker');
      assert.deepEqual(
        [outcome.status, capabilities.state, listRows({ kind: 'agent', agent, file }, capabilities)],
        [
          'ok',
          'connected',
          [
            {
              kind: 'remark',
              agent,
              text: 'Agents of OpenAI Responses do not list their tools; send one a task',
            },
          ],
        ],
      );
    };
    try {
      await withAgent(
        'talker',
        `http://127.0.0.1:${(talker.address() as AddressInfo).port}/`,
        run,
        'responses',
      );
    } finally {
      agents.dispose();
      talker.close();
    }
  });

  it('tells an agent that answers, with an error too, from one that does not', () => {
    const agent: AgentInfo = { name: 'a', protocol: 'mcp', type: 'http', address: '', file, line: 0 };
    const capabilities = {
      state: 'connected',
      resources: [],
      prompts: [],
      tools: [],
    } as unknown as AgentCapabilities;
    const shown = (status: LastCall['status'], code?: string): unknown => {
      const last: LastCall = { status, code, duration: 12, message: undefined };
      const { description, iconPath } = buildAgentRow(
        { kind: 'agent', agent, file },
        { capabilities, last, idle: [] },
      );
      return [description, iconPath instanceof ThemeIcon && iconPath.id];
    };
    assert.deepEqual(
      [
        shown('ok'),
        ...[undefined, '-32601', '404', 'HTTP 502', 'ECONNREFUSED', 'NOT_SENT'].map(code =>
          shown('error', code),
        ),
      ],
      [
        ...Array.from({ length: 4 }, () => ['mcp · 12 ms', 'circle-filled']),
        ['mcp · error HTTP 502 · 12 ms', 'warning'],
        ['mcp · error ECONNREFUSED · 12 ms', 'warning'],
        ['mcp · connected', 'circle-filled'],
      ],
    );
  });
});
