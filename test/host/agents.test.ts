import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import {
  EventEmitter,
  window,
  workspace,
  type ExtensionContext,
  type LogOutputChannel,
  type StatusBarItem,
} from 'vscode';
import type { AgentList, AgentService } from '../../client/src/agent-service.ts';
import { AgentStatus } from '../../client/src/agent-status.ts';
import { DesktopAgents } from '../../client/src/agents/desktop-agents.ts';
import type { PickedAgents } from '../../client/src/picked-agents.ts';
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
    const status = new AgentStatus(service, picked, item);
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
      status.dispose();
      never.dispose();
    }
  });
});
