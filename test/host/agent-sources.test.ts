import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import {
  ConfigurationTarget,
  DiagnosticSeverity,
  languages,
  window,
  workspace,
  type ExtensionContext,
  type LogOutputChannel,
  type Memento,
} from 'vscode';
import { DesktopAgents } from '../../client/src/agents/desktop-agents.ts';
import { closeEditors, openScratch, outcomeOf, sampleUri, waitForDiagnostics } from './support/parley.ts';

const LOG = { debug: () => undefined, info: () => undefined } as unknown as LogOutputChannel;

const SERVERS = {
  local: { command: 'node', args: ['server.js', '--port', '1'], env: { KEY: '${input:key}' } },
  toolbox: { type: 'http', url: 'http://127.0.0.1:9/mcp' },
};
const SETTING = {
  local: { protocol: 'mcp', url: 'http://127.0.0.1:9/other' },
  mine: { protocol: 'a2a', url: 'http://127.0.0.1:9/' },
  broken: { protocol: 'a2a' },
};

describe('agents of other places', () => {
  const file = sampleUri('.vscode/mcp.json');
  const original = Object.getOwnPropertyDescriptor(window, 'showWarningMessage');
  const state = { keys: () => [], get: () => undefined, update: () => Promise.resolve() } as Memento;
  const context = {
    secrets: {},
    globalState: state,
    workspaceState: state,
  } as unknown as ExtensionContext;
  let agents: DesktopAgents;

  const set = (value: unknown): Thenable<void> =>
    workspace.getConfiguration('parley').update('agents', value, ConfigurationTarget.Global);

  beforeEach(async () => {
    await workspace.fs.writeFile(file, new TextEncoder().encode(JSON.stringify({ servers: SERVERS })));
    await set(SETTING);
    agents = new DesktopAgents(context, LOG, () => undefined);
  });

  afterEach(async () => {
    agents.dispose();
    if (original) Object.defineProperty(window, 'showWarningMessage', original);
    await set(undefined);
    await workspace.fs.delete(file);
  });

  it('are never missing while their file is written', async () => {
    const { length } = (await agents.list()).agents;
    const counts = new Set<number>();
    const names = ['librarian', 'renamed'];
    for (let round = 0; round < 20; round++) {
      const [from = '', to = ''] = round % 2 === 0 ? names : names.toReversed();
      let isWriting = true;
      const writing = agents.entries.rename(from, to).finally(() => {
        isWriting = false;
      });
      do counts.add((await agents.list()).agents.length);
      while (isWriting);
      assert.equal(await writing, undefined);
    }
    assert.deepEqual([...counts], [length]);
  });

  it('come after those of the agents file, and a name that is taken is a problem', async () => {
    const { agents: infos, problems } = await agents.list();
    const names = infos.map(info => info.name);
    assert.deepEqual(names.slice(-2), ['local', 'mine']);
    assert.deepEqual(
      infos
        .slice(-2)
        .map(({ protocol, address, file: { scheme, path } }) => [
          protocol,
          address,
          scheme === 'file' ? path.replace(/^.*\/(?=\.vscode)/, '') : `${scheme}: ${path}`,
        ]),
      [
        ['mcp', 'node server.js --port 1', '.vscode/mcp.json'],
        ['a2a', 'http://127.0.0.1:9/', 'parley-setting: parley.agents in the user settings'],
      ],
    );
    assert.equal(names.filter(name => name === 'toolbox').length, 1);
    assert.deepEqual(
      problems.map(({ agent, message }) => [agent, message]),
      [
        [
          'toolbox',
          "The agent 'toolbox' is named in .vscode/agents.json already, and that one counts; give this one another name",
        ],
        ['broken', "The agent 'broken' has no 'url'; add the address it listens at"],
        [
          'local',
          "The agent 'local' is named in .vscode/mcp.json already, and that one counts; give this one another name",
        ],
      ],
    );
  });

  it('start no process without the consent of the user', async () => {
    const asked: string[] = [];
    Object.defineProperty(window, 'showWarningMessage', {
      configurable: true,
      value: (message: string, options: { readonly detail: string }) => {
        asked.push(message, options.detail.replaceAll(file.fsPath, 'FILE'));
        return Promise.resolve(undefined);
      },
    });
    const request = {
      agent: 'local',
      title: 'LIST',
      wireText: 'LIST',
      language: 'aicf',
      warningPolicy: 'hold',
      timeout: undefined,
    } as const;
    const outcome = await outcomeOf(agents.call(request, () => undefined, new AbortController().signal));
    assert.deepEqual(
      [outcome.status, asked],
      [
        'cancelled',
        [
          "Start this process for the agent 'local'?",
          'node server.js --port 1\n\nEnvironment: KEY=${input:key}\nIt is named in FILE and runs with your rights on this computer. Start it only if you know what it does.',
        ],
      ],
    );
  });

  it('tell when they change', async () => {
    await agents.list();
    const changed = new Promise<void>(resolve => agents.onDidChange(() => resolve()));
    await set({});
    await changed;
    const names = (await agents.list()).agents.map(info => info.name);
    assert.deepEqual([names.includes('local'), names.includes('mine')], [true, false]);
  });
});

describe('agent.json of OpenStarry', () => {
  afterEach(closeEditors);

  it('is checked while it is open', async () => {
    const context = { secrets: {}, globalState: {} } as unknown as ExtensionContext;
    const agents = new DesktopAgents(context, LOG, () => undefined);
    const text = '{\n  "mcp": { "expose_tools": ["a", "b"], "private_tools": ["b"] }\n}\n';
    const document = await openScratch('agent.json', text);
    try {
      await window.showTextDocument(document);
      await waitForDiagnostics(document.uri);
      const found = languages
        .getDiagnostics(document.uri)
        .map(({ message, severity, source, range }) => [message, severity, source, document.getText(range)]);
      // The extension and the agents of this test each say it.
      assert.deepEqual(found[0], [
        "The tool 'b' is private and exposed; take it out of one of the lists",
        DiagnosticSeverity.Error,
        'Parley',
        '"b"',
      ]);
    } finally {
      agents.dispose();
      await workspace.fs.delete(document.uri);
    }
  });
});
