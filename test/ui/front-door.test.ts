import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import type { FrameLocator, Locator } from 'playwright-core';
import { startA2aAgent } from '../agents/support/a2a-agent.ts';
import { EVERYTHING_SCRIPT, startEverything } from '../agents/support/everything-server.ts';
import { startResponsesMock } from '../agents/support/responses-mock.ts';
import { Workbench } from './support/workbench.ts';
import { expectSoon } from './support/wait.ts';

const KEY = 'sk-abcdefgh12345678';

describe('an empty folder', () => {
  let workbench: Workbench;
  let choices = 0;
  before(async () => {
    workbench = await Workbench.open({ folder: 'empty', colorScheme: 'dark' });
    await workbench.openSidePanel();
  });
  after(() => workbench.close());
  afterEach(async () => {
    await workbench.clearNotifications();
    await workbench.closeEditors();
  });

  const widget = (): Locator => workbench.page.locator('.quick-input-widget:visible');
  const input = (): Locator => widget().locator('input:not([type="checkbox"])').first();
  /** A click or an Enter of the user. */
  const choose = async (act: Promise<void>): Promise<void> => {
    choices++;
    await act;
  };
  const addAgent = async (): Promise<void> => {
    choices = 0;
    const view = workbench.view('Agents');
    const welcome = view.getByRole('button', { name: 'Add agent' });
    if (await welcome.isVisible()) return choose(welcome.click());
    await view.hover();
    await choose(view.locator('.pane-header a.action-label[aria-label^="Add"]').click());
  };
  /** Pastes a text and waits until its row is there. */
  const paste = async (text: string, row: RegExp): Promise<void> => {
    await input().fill(text);
    await widget().locator('.monaco-list-row', { hasText: row }).first().waitFor();
  };
  const enter = (): Promise<void> => choose(input().press('Enter'));
  const entries = async (): Promise<Record<string, Record<string, unknown>>> => {
    const text = await readFile(join(workbench.folder, '.vscode/agents.json'), 'utf8');
    // VS Code empties a file before it writes it.
    if (text === '') return {};
    return (
      JSON.parse(text.replace(/^\s*\/\/.*$/gm, '')) as { agents: Record<string, Record<string, unknown>> }
    ).agents;
  };
  /** The page that has an element; undefined if none has it. */
  const findPage = async (selector: string): Promise<FrameLocator | undefined> => {
    for (const frame of await workbench.page.locator('iframe.webview.ready').all()) {
      const page = frame.contentFrame().frameLocator('iframe#active-frame');
      if ((await page.locator(selector).count()) > 0) return page;
    }
    return undefined;
  };
  const pageWith = async (selector: string): Promise<FrameLocator> => {
    await expectSoon(async () => (await findPage(selector)) !== undefined, true);
    const page = await findPage(selector);
    assert.ok(page);
    return page;
  };
  /** Waits until Compose sends to the agent with such an entry. */
  const expectSelected = async (
    compose: FrameLocator,
    isMeant: (entry: Record<string, unknown>) => boolean,
  ): Promise<void> =>
    expectSoon(async () => {
      const name = await compose.locator('select').first().inputValue();
      const entry = (await entries())[name];
      return entry !== undefined && isMeant(entry);
    }, true);

  it('has an MCP server over stdio and its reply after five choices', async () => {
    await addAgent();
    await paste(`node ${EVERYTHING_SCRIPT} stdio`, /Add and start/);
    await enter();
    const tool = workbench.row('Agents', /^Tool get-sum/);
    await tool.waitFor();
    choices++;
    await expectSoon(async () => {
      // A click on a row that is drawn anew in that moment is one on no row.
      await workbench.page.keyboard.press('Escape');
      await tool.hover();
      await tool.locator('a.action-label[aria-label^="Call Tool"]').click();
      await workbench.page.waitForTimeout(2_000);
      return (await findPage('form.form')) !== undefined;
    }, true);
    const page = await pageWith('form.form');
    await page.getByLabel('a', { exact: true }).fill('40');
    await page.getByLabel('b', { exact: true }).fill('2');
    await choose(page.getByRole('button', { name: 'Send', exact: true }).click());
    await page.getByText(/^ok/).waitFor();
    assert.ok(choices <= 5, `${choices} choices`);
    const { everything } = await entries();
    assert.deepEqual([everything?.['protocol'], everything?.['type']], ['mcp', 'stdio']);
  });

  it('has an MCP server at an address, whose protocol it finds, and lists its tools', async () => {
    const server = await startEverything();
    await addAgent();
    await paste(server.url, /asks 127\.0\.0\.1:\d+ which protocol it speaks/);
    await enter();
    await workbench.row('Agents', /^everything-2, mcp/).waitFor();
    await expectSoon(async () => (await entries())['everything-2']?.['protocol'], 'mcp');
    assert.equal(choices, 2);
    await server.close();
  });

  it('has an A2A agent and its reply after four choices', async () => {
    const agent = await startA2aAgent({ version: '1.0', streaming: false });
    await addAgent();
    await paste(agent.origin, /which protocol/);
    await enter();
    const compose = await pageWith('textarea');
    const text = compose.locator('textarea').first();
    await expectSelected(compose, entry => entry['protocol'] === 'a2a');
    await text.fill('say hello');
    await choose(text.press('Control+Enter'));
    await compose.getByText(/^ok/).first().waitFor();
    assert.ok(choices <= 4, `${choices} choices`);
    await agent.close();
  });

  it('has an OpenAI-style agent and its reply after five choices, with its key as a secret', async () => {
    const mock = await startResponsesMock(KEY);
    await addAgent();
    await paste(mock.url, /which protocol/);
    await enter();
    await widget().getByText('Add Agent (1 of 2): API key (stored as a secret)').waitFor();
    await input().fill(KEY);
    await enter();
    await widget().getByText('Add Agent (2 of 2): Model').waitFor();
    await input().fill('small');
    await enter();
    const compose = await pageWith('textarea');
    const text = compose.locator('textarea').first();
    await expectSelected(compose, entry => entry['model'] === 'small');
    await text.fill('Hi');
    await choose(text.press('Control+Enter'));
    await compose.getByText('Hello from small').first().waitFor();
    assert.ok(choices <= 5, `${choices} choices`);
    assert.doesNotMatch(JSON.stringify(await entries()), new RegExp(KEY));
    await mock.close();
  });

  it('takes several servers of a pasted mcpServers JSON, and offers MCP first where its name is typed', async () => {
    await addAgent();
    await input().fill('mcp');
    await expectSoon(
      async () => (await widget().locator('.monaco-list-row.focused').innerText()).startsWith('MCP server'),
      true,
    );
    await paste(
      `{"mcpServers":{"one":{"command":"node","args":["${EVERYTHING_SCRIPT}"]},"two":{"command":"node","args":["${EVERYTHING_SCRIPT}","stdio"]}}}`,
      /Add and start all 2/,
    );
    await widget().locator('.monaco-list-row', { hasText: 'Add and start all 2' }).click();
    // The rows of the tools of the first one are between both.
    await workbench.row('Agents', /^two, mcp/).waitFor();
    const { one, two } = await entries();
    assert.deepEqual([one?.['protocol'], two?.['protocol']], ['mcp', 'mcp']);
  });

  it('adds the agent of a pasted cURL command, and names it above the request', async () => {
    const server = await startEverything();
    const body =
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"message":"hi"}}}';
    const command = `curl ${server.url} \\\n  -H 'Content-Type: application/json' \\\n  -d '${body}'`;
    await workbench.page.evaluate(text => navigator.clipboard.writeText(text), command);
    await workbench.pick('Parley: Paste Messages', 'AICF');
    const notice = workbench.page.locator('.notification-list-item', { hasText: 'No agent has its address' });
    await notice.getByRole('button', { name: 'Add agent' }).click();
    await widget().locator('.monaco-list-row', { hasText: 'Add and start' }).first().waitFor();
    await input().press('Enter');
    const find = async (): Promise<string | undefined> =>
      Object.entries(await entries()).find(([, { url }]) => url === server.url)?.[0];
    await expectSoon(async () => typeof (await find()), 'string');
    const lines = workbench.page.locator('.editor-instance .view-line');
    const first = async (): Promise<string> => (await lines.first().innerText()).replaceAll('\u00a0', ' ');
    await expectSoon(first, `# @agent ${await find()}`);
    await workbench.runCommand('View: Revert and Close Editor');
    await server.close();
  });

  it('names the true protocol of a wrong entry, and corrects it', async () => {
    const server = await startEverything();
    await addAgent();
    await input().fill('A2A');
    await widget().locator('.monaco-list-row', { hasText: 'A2A agent' }).first().waitFor();
    await input().press('Enter');
    await widget().getByText('Add Agent (1 of 2): URL').waitFor();
    await input().fill(server.url);
    await input().press('Enter');
    await widget().getByText('Add Agent (2 of 2): name').waitFor();
    await input().fill('wrong');
    await input().press('Enter');
    const notice = workbench.page.locator('.notification-list-item', { hasText: 'This is an MCP server' });
    await notice.getByRole('button', { name: 'Change to MCP server' }).click();
    await expectSoon(async () => (await entries())['wrong']?.['protocol'], 'mcp');
    await workbench.row('Agents', /^wrong, mcp .*\d m?s/).waitFor();
    await server.close();
  });

  it('has agents that can be renamed, and removed until that is undone', async () => {
    const menu = async (said: RegExp, entry: string): Promise<void> => {
      await workbench.row('Agents', said).click({ button: 'right' });
      const item = workbench.page.getByRole('menuitem', { name: entry }).first();
      // A menu that has just opened takes no clicks.
      await expectSoon(async () => {
        if (await item.isVisible()) await item.click();
        await workbench.page.waitForTimeout(500);
        return item.isVisible();
      }, false);
    };
    await menu(/^wrong, mcp/, 'Rename…');
    await input().fill('right');
    await input().press('Enter');
    await workbench.row('Agents', /^right, mcp/).waitFor();
    await menu(/^right, mcp/, 'Remove…');
    await workbench.page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await expectSoon(async () => 'right' in (await entries()), false);
    const notice = workbench.page.locator('.notification-list-item', { hasText: 'was removed' });
    await notice.getByRole('button', { name: 'Undo' }).click();
    await expectSoon(async () => 'right' in (await entries()), true);
  });
});
