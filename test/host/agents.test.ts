import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import {
  commands,
  EventEmitter,
  Selection,
  Uri,
  window,
  workspace,
  type ExtensionContext,
  type LogOutputChannel,
  type StatusBarItem,
} from 'vscode';
import type { AgentList, AgentService } from '../../client/src/services/agent-service.ts';
import { DisposableStore } from '../../client/src/base/dispose.ts';
import { showAgent, type FindRequest } from '../../client/src/features/send/agent-status.ts';
import { DesktopAgents } from '../../client/src/agents/desktop-agents.ts';
import { chooseAgent } from '../../client/src/services/choose-agent.ts';
import type { PickedAgents } from '../../client/src/services/picked-agents.ts';
import type { TraceEvent } from '../../core/events/events.ts';
import type { RequestAtResult } from '../../wire/server-messages.ts';
import {
  activateParley,
  closeEditors,
  openScratch,
  showSample,
  waitFor,
  withAgent,
} from './support/parley.ts';

const LOG = { debug: () => undefined, info: () => undefined } as unknown as LogOutputChannel;

describe('agents', () => {
  afterEach(closeEditors);

  it('are listed without the credentials of their addresses', async () => {
    const context = { secrets: {}, globalState: {} } as unknown as ExtensionContext;
    const agents = new DesktopAgents(context, LOG, () => undefined);
    try {
      await withAgent('private', 'https://ann:s3cret@127.0.0.1:9/aicf?token=abc&v=${env:V}', async () => {
        const { agents: infos } = await agents.list();
        assert.deepEqual(
          infos.filter(info => info.name === 'private').map(info => info.address),
          ['https://[redacted]@127.0.0.1:9/aicf?token=[redacted]&v=${env:V}'],
        );
      });
    } finally {
      agents.dispose();
    }
  });

  it('are watched from the first time that they were read', async () => {
    const context = { secrets: {}, globalState: {} } as unknown as ExtensionContext;
    const agents = new DesktopAgents(context, LOG, () => undefined);
    let changes = 0;
    agents.onDidChange(() => (changes += 1));
    try {
      await agents.list();
      const changed = new Promise<void>(resolve => agents.onDidChange(() => resolve()));
      await withAgent('another', 'http://127.0.0.1:9/', () => changed);
      assert.ok(changes > 0);
    } finally {
      agents.dispose();
    }
  });

  it('that are for trying out log their start and their end', async () => {
    const context = { secrets: {}, globalState: {} } as unknown as ExtensionContext;
    const lines: string[] = [];
    const log = { info: (line: string) => lines.push(line) } as unknown as LogOutputChannel;
    const agents = new DesktopAgents(context, log, () => undefined);
    try {
      await agents.startDemo();
      await agents.startDemo();
      await agents.stopDemo();
      assert.deepEqual(
        lines.map(line => line.replace(/:\d+\//g, ':N/').replace(/, storyteller: .*/, ' …')),
        [
          'Demo agents run. toolbox: http://127.0.0.1:N/aip/v1/aicf, analyst: http://127.0.0.1:N/ …',
          'Demo agents stopped.',
        ],
      );
    } finally {
      agents.dispose();
    }
  });

  it('are shown by the line above the request at the cursor', async () => {
    await activateParley();
    const document = await openScratch('named.aicf', '# @agent fast\nLIST\n\n# @agent slow\nLIST\n');
    const editor = await window.showTextDocument(document);
    const never = new EventEmitter<void>();
    const service = {
      onDidChange: never.event,
      list: () => Promise.resolve({ agents: [], problems: [] }),
    } as unknown as AgentService;
    const shown: string[] = [];
    const shownNow = new EventEmitter<string>();
    const item = {
      text: '',
      show(this: StatusBarItem) {
        shown.push(this.text);
        shownNow.fire(this.text);
      },
      hide: () => undefined,
      dispose: () => undefined,
    } as unknown as StatusBarItem;
    const picked = { onDidChange: never.event, get: () => undefined } as unknown as PickedAgents;
    const find: FindRequest = (_, { line }) => {
      const directives = line === 1 ? { agent: 'fast' } : line === 4 ? { agent: 'slow' } : {};
      return Promise.resolve({ directives } as unknown as RequestAtResult);
    };
    const moveTo = async (line: number, text: string): Promise<void> => {
      const came = new Promise<void>(resolve =>
        shownNow.event(now => {
          if (now === text) resolve();
        }),
      );
      editor.selection = new Selection(line, 0, line, 0);
      await came;
    };
    const store = new DisposableStore();
    showAgent(store, item, service, picked, find);
    try {
      await moveTo(1, '$(radio-tower) fast');
      await moveTo(2, '$(radio-tower) Pick agent');
      await moveTo(4, '$(radio-tower) slow');
      assert.equal(shown.at(-1), '$(radio-tower) slow');
    } finally {
      store.dispose();
      never.dispose();
      shownNow.dispose();
    }
  });

  it('say what is wrong with their own entry, else with the file, where one is asked for', async () => {
    const file = Uri.file('/agents.json');
    const list = (agent: string | undefined, message: string): AgentList => ({
      agents: [],
      problems: [{ file, line: 3, message, agent }],
    });
    const picked = { get: () => undefined } as unknown as PickedAgents;
    const problemOf = (from: AgentList): Promise<unknown> =>
      chooseAgent(from, { language: 'aicf' }, 'down', picked);
    assert.deepEqual(
      [
        await problemOf(list('down', "The agent 'down': the protocol 'grpc' is not a known protocol")),
        await problemOf(list('other', "The agent 'other' has no 'url'")),
        await problemOf(list(undefined, 'This is not valid JSON here: close brace expected')),
      ],
      [
        { problem: "The agent 'down': the protocol 'grpc' is not a known protocol (line 4 of agents.json)." },
        {
          problem:
            "No agent is called 'down'. Add it to .vscode/agents.json, or name another one above the request.",
        },
        {
          problem:
            "No agent is called 'down'. The agents file has a fault in line 4: This is not valid JSON here: close brace expected.",
        },
      ],
    );
  });

  it('send nothing and say nothing where the user leaves the question for a secret', async () => {
    const context = {
      secrets: { get: () => Promise.resolve(undefined) },
      globalState: { get: () => undefined },
    } as unknown as ExtensionContext;
    const events: TraceEvent[] = [];
    const agents = new DesktopAgents(context, LOG, event => events.push(event));
    const request = {
      agent: 'closed',
      title: 'LIST',
      wireText: 'LIST',
      language: 'aicf' as const,
      warningPolicy: 'hold' as const,
      timeout: undefined,
      source: { uri: 'file:///a.aicf', line: 0 },
    };
    try {
      await withAgent('closed', 'http://127.0.0.1:9/?token=${secret:never}', async () => {
        let isOver = false;
        const call = agents
          .call(request, () => undefined, new AbortController().signal)
          .finally(() => (isOver = true));
        // The box is there as soon as the extension asked for it; closing none harms nothing.
        while (!isOver) {
          await commands.executeCommand('workbench.action.closeQuickOpen');
          await new Promise(resolve => setTimeout(resolve, 20));
        }
        assert.deepEqual(await call, { status: 'cancelled', text: '', isProtocol: false });
        assert.deepEqual(events, []);
      });
    } finally {
      agents.dispose();
    }
  });

  it('are not shown over a file of another kind by a list that comes late', async () => {
    await activateParley();
    await showSample('hello.aicf');
    const lists: ((list: AgentList) => void)[] = [];
    const never = new EventEmitter<void>();
    const service = {
      onDidChange: never.event,
      list: () => new Promise<AgentList>(resolve => lists.push(resolve)),
    } as unknown as AgentService;
    const shown: string[] = [];
    const item = {
      show: () => shown.push('show'),
      hide: () => shown.push('hide'),
      dispose: () => undefined,
    } as unknown as StatusBarItem;
    const picked = { onDidChange: never.event, get: () => undefined } as unknown as PickedAgents;
    const store = new DisposableStore();
    showAgent(store, item, service, picked, () => Promise.resolve(undefined));
    try {
      const notes = await openScratch('notes.txt', 'Only text');
      await window.showTextDocument(notes);
      await waitFor('the item to go', () => (shown.at(-1) === 'hide' ? true : undefined));
      assert.ok(lists.length > 0);
      for (const answer of lists) answer({ agents: [], problems: [] });
      // What waits for the lists goes on before this does.
      await workspace.fs.stat(notes.uri);
      assert.equal(shown.includes('show'), false);
    } finally {
      store.dispose();
      never.dispose();
    }
  });
});
