import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { takeWindow } from './support/shared-window.ts';
import { expectSoon } from './support/wait.ts';
import type { Workbench } from './support/workbench.ts';

const REQUESTS = '# @agent toolbox\ncall|math.add|19|23\n\n# @agent tolbox\nLIST\n';
const NAMED = `# @agent toolbox
# @name first
CALL|math.add|19|23

# @agent toolbox
CALL|text.reverse|{{first.data.sum}}

# @agent toolbox
CALL|slow.count|3600
`;

describe('requests that cannot be sent as they are', () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await takeWindow({ files: { 'held.aicf': REQUESTS, 'named.aicf': NAMED } });
    await workbench.clearTraces();
    await workbench.openSidePanel();
  });

  it('are fixed and sent by one button', async () => {
    const editor = await workbench.openFile('held.aicf');
    await workbench.clickLens(editor, 'Send', 'call|math.add');
    await workbench.page.getByRole('button', { name: 'Fix and send' }).click();
    await workbench.tab('math.add ok').waitFor();
    // The names of the arguments are hints, which come when they like.
    const line = async (): Promise<string | undefined> => (await workbench.linesOf(editor))[1];
    await expectSoon(async () => (await line())?.replaceAll(/\b[ab]:/g, ''), 'CALL|math.add|19|23');
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

  it('need the reply of another one, which is sent first by one button', async () => {
    const editor = await workbench.openFile('named.aicf');
    await workbench.clickLens(editor, 'Send', 'CALL|text.reverse');
    await workbench.page.getByRole('button', { name: "Send 'first' and go on" }).click();
    await workbench.row('Traces', /^text\.reverse, sent to toolbox, ok · /).waitFor();
    await workbench.row('Traces', /^first, sent to toolbox, ok · /).waitFor();
  });

  it('are stopped where they were sent', async () => {
    const editor = workbench.editor('named.aicf');
    await workbench.clickLens(editor, 'Send', 'CALL|slow.count');
    await workbench.clickLens(editor, 'Stop', 'CALL|slow.count');
    await workbench.row('Traces', /^slow\.count, sent to toolbox, stopped · /).waitFor();
    await expectSoon(() => workbench.lenses(editor, 'Stop').count(), 0);
  });
});
