import assert from 'node:assert/strict';
import { afterEach, before, describe, it } from 'mocha';
import { takeWindow } from './support/shared-window.ts';
import { expectSoon } from './support/wait.ts';
import type { Workbench } from './support/workbench.ts';

describe('the first steps', () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await takeWindow();
  });
  afterEach(() => workbench.closeEditors());

  it('are walkthroughs for each kind of agent, whose steps show what they are about', async () => {
    await workbench.pick('Welcome: Open Walkthrough', 'Call an MCP server');
    const page = workbench.page.locator('.gettingStartedContainer');
    await page.getByText('Keep requests in a file').first().click();
    await page.getByRole('button', { name: 'New request' }).waitFor();
    const shown = page.frameLocator('iframe').frameLocator('iframe#active-frame');
    await shown.getByText('hello.mcp.jsonc', { exact: false }).first().waitFor();
    await page.getByRole('button', { name: 'New request' }).click();
    const editor = workbench.editor('request.mcp.jsonc');
    await expectSoon(
      async () => (await workbench.linesOf(editor)).some(line => line.includes('"tools/list"')),
      true,
    );
  });

  it('are entries of New File', async () => {
    await workbench.pick('Create: New File', 'Agent Requests (.aicf)');
    await workbench
      .lenses(workbench.page.locator('.editor-instance .monaco-editor').first(), 'Send')
      .waitFor();
    await workbench.closeEditors();
    await workbench.pick('Create: New File', 'Agent Request in JSON', 'Agent2Agent (A2A)');
    const editor = workbench.editor('request.a2a.jsonc');
    await workbench.lenses(editor, 'Send').first().waitFor();
    assert.equal(await workbench.errorUnderlines(editor).count(), 0);
  });
});
