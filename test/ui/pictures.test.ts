import { before, describe, it } from 'mocha';
import { takeWindow } from './support/shared-window.ts';
import { expectSoon } from './support/wait.ts';
import type { Workbench } from './support/workbench.ts';

describe('the pictures of the first page', () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await takeWindow({ colorScheme: 'dark' });
    await workbench.clearTraces();
  });

  const waitForTab = (title: RegExp): Promise<void> =>
    expectSoon(async () => (await workbench.tabs()).some(tab => title.test(tab)), true);

  it('show a request to an MCP server, its reply beside it, and its call in the traces', async () => {
    const editor = await workbench.openFile('hello.mcp.jsonc');
    await workbench.clickLens(editor, 'Send', '"method": "tools/list"');
    await workbench.row('Traces', /^tools\/list, sent to librarian, ok/).waitFor();
    await workbench.clickLens(editor, 'Send', '"method": "tools/call"');
    await workbench.row('Traces', /^text\.reverse, sent to librarian, ok/).waitFor();
    await waitForTab(/^text\.reverse ok/);
    await workbench.webview().locator('.reply-body .piece', { hasText: 'emoR' }).waitFor();
    await workbench.screenshot('mcp-dark');
  });

  it('show a trace of agents that call each other', async () => {
    const editor = await workbench.openFile('team.aicf');
    await workbench.clickLens(editor, 'Send', 'CALL|ask|What is six');
    await workbench.row('Traces', /^ask, sent to chain, ok/).waitFor();
    // The reply opens late: it would stay open if the editors were closed before it.
    await waitForTab(/^ask ok/);
    await workbench.closeEditors();
    const page = await workbench.openCall(/^ask, sent to chain/, 'ask');
    const rows = page.getByRole('treegrid', { name: 'Calls' }).getByRole('row');
    await expectSoon(async () => (await rows.count()) >= 3, true);
    await workbench.screenshot('trace-dark', { width: 1200, height: 800 });
  });

  it('show a tensor of a message in the inspector', async () => {
    await workbench.closeEditors();
    const editor = await workbench.openFile('tensors.aicl');
    await workbench.clickLens(editor, 'Inspect', '[s:data]:[t:float32');
    const cells = workbench.webview().getByRole('gridcell');
    await expectSoon(async () => (await cells.count()) >= 12, true);
    await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
    await workbench.screenshot('tensor-dark', { width: 1150, height: 560 });
    await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
    await workbench.openSidePanel();
  });
});
