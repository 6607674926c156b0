import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { takeWindow } from './support/shared-window.ts';
import { expectSoon } from './support/wait.ts';
import type { Workbench } from './support/workbench.ts';

const REQUESTS = '# @agent toolbox\ncall|math.add|19|23\n\n# @agent tolbox\nLIST\n';

describe('requests that cannot be sent as they are', () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await takeWindow({ files: { 'held.aicf': REQUESTS } });
    await workbench.clearTraces();
  });

  it('are fixed and sent by one button', async () => {
    const editor = await workbench.openFile('held.aicf');
    await workbench.clickLens(editor, 'Send', 'call|math.add');
    await workbench.page.getByRole('button', { name: 'Fix and send' }).click();
    await workbench.tab('math.add ok').waitFor();
    await expectSoon(async () => (await workbench.linesOf(editor))[1], 'CALL|math.add|19|23');
  });

  it('name an agent that is not configured, which is underlined and shown in the status bar', async () => {
    const editor = workbench.editor('held.aicf');
    await editor.locator('.squiggly-warning').first().waitFor();
    const hover = await workbench.hover(editor, 'tolbox');
    assert.match(hover, /No agent is called 'tolbox': did you mean 'toolbox'\?/);
    await workbench.typeAt('held.aicf', 4, 1, '');
    const status = workbench.page.locator('.statusbar-item', { hasText: 'tolbox' });
    await status.waitFor();
  });
});
