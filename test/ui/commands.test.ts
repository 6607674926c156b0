import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { Locator } from 'playwright-core';
import { takeWindow } from './support/shared-window.ts';
import { expectSoon } from './support/wait.ts';
import type { Workbench } from './support/workbench.ts';

describe('commands that list what there is', () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await takeWindow();
    await workbench.clearTraces();
  });

  const rows = (): Locator => workbench.page.locator('.quick-input-widget:visible .monaco-list-row');

  /** Runs a command of the palette that opens a list. */
  async function openList(command: string): Promise<void> {
    const widget = await workbench.askQuickInput('F1', `>${command}`);
    await widget.locator('.monaco-list-row', { hasText: command }).first().click();
  }

  const labels = (): Promise<readonly string[]> =>
    rows().evaluateAll(all => all.map(row => row.querySelector('.label-name')?.textContent ?? ''));

  it('show what is received and sent', async () => {
    await workbench.openFile('hello.aicf');
    await openList('Parley: Telemetry…');
    await expectSoon(labels, ['Start Receiver', 'Send Calls as They End', 'Send Traces…', 'Set Collector']);
    assert.match(await rows().nth(1).innerText(), /no collector is set/);
    await workbench.page.keyboard.press('Escape');
  });

  it('open a trace of this window', async () => {
    const editor = await workbench.openFile('hello.aicf');
    await workbench.openSidePanel();
    await workbench.clickLens(editor, 'Send', 'CALL|math.add');
    await workbench.row('Traces', /^math\.add, sent to toolbox, ok/).waitFor();
    await workbench.openFile('hello.aicf');
    await openList('Parley Traces: Open…');
    await expectSoon(labels, ['File…', 'Text in Front', 'Jaeger…', 'math.add']);
    await rows().last().click();
    await workbench.webview().getByRole('treegrid', { name: 'Calls' }).waitFor();
  });

  it('have submenus in the context menu of an editor', async () => {
    const editor = await workbench.openFile('hello.aicl');
    await editor
      .locator('.view-line')
      .first()
      .click({ button: 'right', position: { x: 20, y: 8 } });
    const items = workbench.page.getByRole('menuitem');
    await expectSoon(
      async () => (await items.allInnerTexts()).filter(text => /^(Parley|Tensor)$/.test(text.trim())).length,
      2,
    );
    await items.filter({ hasText: /^\s*Tensor\s*$/ }).hover();
    await expectSoon(
      async () =>
        (await items.allInnerTexts())
          .map(text => text.trim())
          .filter(text => /^(Inspect|Compare…|Edit…|Insert…|Export…)$/.test(text)),
      ['Inspect', 'Compare…', 'Edit…', 'Insert…', 'Export…'],
    );
    await workbench.page.keyboard.press('Escape');
    await workbench.page.keyboard.press('Escape');
  });
});
