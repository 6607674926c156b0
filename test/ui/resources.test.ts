import { afterEach, before, describe, it } from 'mocha';
import { takeWindow } from './support/shared-window.ts';
import { expectSoon } from './support/wait.ts';
import type { Workbench } from './support/workbench.ts';

const AGENTS = JSON.stringify({
  agents: { librarian: { protocol: 'mcp', type: 'http', url: '${demo:librarian}' } },
});

describe('resources and prompts of an MCP server', () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await takeWindow({
      colorScheme: 'dark',
      files: { 'requests.aicf': '# requests\n', '.vscode/agents.json': AGENTS },
    });
    await workbench.openFile('requests.aicf');
    await workbench.openSidePanel();
    await workbench.row('Agents', /^librarian/).waitFor();
    await workbench.pick('Parley Agents: Connect…', 'librarian');
  });
  afterEach(async () => {
    await workbench.clearNotifications();
    await workbench.closeEditors();
  });

  /** Scrolls to the last rows of the Agents view, which are the resources and prompts. */
  const showLast = async (): Promise<void> => {
    await workbench.row('Agents', /^(?:Tool|Template|Prompt)/).waitFor();
    await workbench.view('Agents').locator('.monaco-list').focus();
    await workbench.page.keyboard.press('End');
    await workbench.row('Agents', /^Prompt summarize/).waitFor();
  };
  /** The requests, without the names of parameters, which are hints and come when they like. */
  const calls = async (): Promise<readonly string[]> => {
    const lines = await workbench.linesOf(workbench.editor('requests.aicf'));
    return lines
      .filter(line => line.startsWith('CALL|'))
      .map(line => line.replaceAll(/\|(?:name|arguments|uri):(?!\/)/g, '|'));
  };

  it('a click on a prompt asks for its arguments, which the server completes, and inserts its request', async () => {
    await workbench.openFile('requests.aicf');
    await showLast();
    await workbench.row('Agents', /^Prompt summarize/).click();
    const input = workbench.page.locator('.quick-input-widget input[type="text"]');
    await input.waitFor();
    await input.fill('em');
    const proposed = workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: 'emma' });
    // The row of what was typed comes with the proposals for it.
    await workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: 'as typed' }).waitFor();
    await proposed.click();
    await expectSoon(calls, ['CALL|prompts/get|summarize|{"title":"emma"}']);
  });

  it('a click on a template asks for its variables, and one on a resource for nothing', async () => {
    await workbench.openFile('requests.aicf');
    await showLast();
    await workbench.row('Agents', /^Template book/).click();
    const input = workbench.page.locator('.quick-input-widget input[type="text"]');
    await input.fill('war and peace');
    await workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: 'as typed' }).waitFor();
    await workbench.page.keyboard.press('Enter');
    const read = 'CALL|resources/read|book:war%20and%20peace';
    await expectSoon(async () => (await calls()).includes(read), true);
    await workbench.row('Agents', /^Resource emma/).click();
    await expectSoon(async () => (await calls()).includes('CALL|resources/read|book:emma'), true);
  });
});
