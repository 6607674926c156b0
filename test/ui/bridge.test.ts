import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'mocha';
import { takeWindow } from './support/shared-window.ts';
import { expectSoon } from './support/wait.ts';
import type { Workbench } from './support/workbench.ts';

describe('a bridge of the window', () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await takeWindow();
    await workbench.clear();
    await workbench.clearTraces();
  });
  after(() => workbench.clearNotifications());

  /** Chooses **Bridge…** in the menu of herald's row, and a way to serve it. */
  async function bridgeHerald(way: string): Promise<void> {
    const { page } = workbench;
    // The list may be scrolled, and has only the rows that are visible: the keys of its name go to the row.
    await workbench.view('Agents').locator('.monaco-list').first().focus();
    await page.keyboard.type('herald');
    await workbench.row('Agents', /^herald,/).click({ button: 'right' });
    const item = page.getByRole('menuitem', { name: 'Bridge…' });
    const list = page.locator('.quick-input-widget:visible');
    // A menu that has just opened takes no clicks.
    await expectSoon(async () => {
      if (await item.isVisible()) await item.click();
      await page.waitForTimeout(500);
      return list.isVisible();
    }, true);
    await list.locator('.monaco-list-row', { hasText: way }).first().click();
  }

  it('serves an agent after consent, shows each call as one tree, and stops', async () => {
    const { page } = workbench;
    await workbench.openFile('hello.aicf');
    await workbench.openSidePanel();
    await bridgeHerald('JSON-RPC (AIP)');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    const question = await dialog.innerText();
    assert.match(question, /Serve 'herald' as JSON-RPC \(AIP\)\?/);
    assert.match(question, /Address: http:\/\/127\.0\.0\.1:\d+\/a2a/);
    assert.match(question, /can then call the agent as JSON-RPC \(AIP\) without asking you/);
    await workbench.screenshot('bridge-consent');
    await dialog.getByRole('button', { name: 'Start Bridge' }).click();
    const notice = page.locator('.notification-toast', { hasText: 'herald is served as' });
    await notice.waitFor();
    const address = /http:\/\/127\.0\.0\.1:\d+\/aip\/v1\/rpc/.exec(await notice.innerText())?.[0];
    assert.ok(address !== undefined, await notice.innerText());
    await page.locator('.statusbar-item', { hasText: 'Bridge to herald' }).waitFor();
    await workbench.row('Agents', /^herald, .*bridge json-rpc/).waitFor();
    const request = {
      jsonrpc: '2.0',
      id: 1,
      method: 'aip.tool.invoke',
      params: { tool: 'ask', arguments: { task: 'Hello' } },
    };
    const reply = await fetch(address, { method: 'POST', body: JSON.stringify(request) });
    assert.equal(await reply.text(), '{"jsonrpc":"2.0","id":1,"result":"Hear ye! Hello"}');
    await workbench.row('Traces', /^ask, sent to herald as JSON-RPC, ok/).waitFor();
    await workbench.screenshot('bridge-running');
    await page.locator('.statusbar-item', { hasText: 'Bridge to herald' }).click();
    await expectSoon(
      async () => page.locator('.statusbar-item', { hasText: 'Bridge to herald' }).isVisible(),
      false,
    );
    await assert.rejects(fetch(address, { method: 'POST', body: JSON.stringify(request) }));
  });

  it('is a command line for callers that start it, whose calls are shown in Traces', async () => {
    const { page } = workbench;
    await workbench.clearNotifications();
    await bridgeHerald('Model Context Protocol, as a process');
    await page.getByRole('dialog').getByRole('button', { name: 'Show Command Line' }).click();
    const notice = page.locator('.notification-toast', { hasText: 'herald is served as' });
    await notice.waitFor();
    const [line = ''] = /node .* --live \S+/.exec(await notice.innerText()) ?? [];
    assert.match(line, / bridge --to herald --as mcp --stdio --agents /);
    const message = {
      jsonrpc: '2.0',
      id: 7,
      method: 'tools/call',
      params: { name: 'ask', arguments: { task: 'Hello' } },
    };
    const child = spawn('sh', ['-c', `exec ${line.replace(/\.$/, '')}`], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    child.stdin.end(`${JSON.stringify(message)}\n`);
    assert.match(
      await text(child.stdout),
      /"id":7,"result":\{"content":\[\{"type":"text","text":"Hear ye! Hello"/,
    );
    await workbench.row('Traces', /^ask, sent to herald as MCP, ok/).waitFor();
    await page.locator('.statusbar-item', { hasText: 'Bridge to herald' }).click();
  });

  it('is not started without consent', async () => {
    await bridgeHerald('JSON-RPC (AIP)');
    const dialog = workbench.page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    assert.equal(await workbench.page.locator('.statusbar-item', { hasText: 'Bridge to' }).count(), 0);
  });
});
