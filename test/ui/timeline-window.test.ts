import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { FrameLocator } from 'playwright-core';
import { takeWindow } from './support/shared-window.ts';
import { expectSoon, withoutTimes } from './support/wait.ts';
import type { Workbench } from './support/workbench.ts';

/** The timeline in the window, of calls that are sent there. */
describe('the timeline in the window', () => {
  let workbench: Workbench;
  let view: FrameLocator;
  before(async () => {
    workbench = await takeWindow();
    // The demo agents start anew with the next request: it is the first that the toolbox hears.
    const editor = await workbench.openFile('hello.aicf');
    await workbench.openSidePanel();
    // A row of an earlier test would be taken for that of this request.
    await workbench.clearTraces();
    await workbench.clickLens(editor, 'Send', 'CALL|math.add');
    await workbench.row('Traces', /^math\.add, sent to toolbox, ok · /).waitFor();
    await workbench.runCommand('Parley Agents: Stop Demo Agents');
    await workbench.clear();
    await workbench.clearTraces();
  });

  it('shows a call while it runs, and what comes of it', async () => {
    const editor = await workbench.openFile('hello.aicf');
    await workbench.openSidePanel();
    await workbench.clickLens(editor, 'Send', 'CALL|slow.count');
    // A page that opens before the reply would stand behind it.
    await workbench.tab('slow.count').waitFor();
    view = await workbench.openCall(/slow\.count/, 'slow.count · toolbox');
    await view.getByRole('treegrid', { name: 'Calls' }).waitFor();
    await expectSoon(async () => withoutTimes(await view.locator('.row .outcome').innerText()), 'ok · N ms');
    await expectSoon(
      () =>
        view
          .locator('.details pre:visible')
          .allInnerTexts()
          .then(texts => texts.map(text => text.trimEnd())),
      ['CALL|slow.count|4', 'STREAM|1\nSTREAM| 2\nSTREAM| 3\nSTREAM| 4\nEND'],
    );
    // The first request to an AICF server is preceded by the question how it unescapes.
    await view.getByText('Set-up and other requests of the connection (1)').click();
    await expectSoon(
      async () =>
        (await view.locator('.details .fold.section pre').allInnerTexts()).map(text => text.trimEnd()),
      ['INFO|a\\nb', 'ERR|404|Tool not found: a\\nb; LIST names the tools of toolbox'],
    );
    assert.match(await view.locator('.row .track').getAttribute('aria-label').then(String), / chunks$/);
    await workbench.screenshot('timeline-dark');
  });

  it('opens the reply as a document in its language', async () => {
    await view.getByRole('button', { name: 'Open request' }).click();
    await expectSoon(
      async () => (await workbench.linesOf(workbench.editor('slow.count request'))).join(''),
      'CALL|slow.count|4',
    );
    await workbench.tab('slow.count · toolbox').click();
    await view.getByRole('button', { name: 'Open reply' }).click();
    const reply = workbench.editor('slow.count ok');
    await expectSoon(
      async () => (await workbench.linesOf(reply)).filter(line => line !== ''),
      ['STREAM|1', 'STREAM| 2', 'STREAM| 3', 'STREAM| 4', 'END'],
    );
    const [command] = await workbench.piecesOf(reply, 'STREAM|1');
    assert.equal(command?.text, 'STREAM');
  });

  it('goes from a call to its request', async () => {
    await workbench.tab('slow.count · toolbox').click();
    await workbench
      .webview()
      .getByRole('button', { name: /^hello\.aicf, line \d+$/ })
      .click();
    await expectSoon(async () => {
      const active = workbench.page.locator('.tabs-container .tab.active[aria-label^="hello.aicf"]');
      return active.count();
    }, 1);
  });

  it('draws lenses where the editor lost the focus before VS Code asked for them', async () => {
    const editor = workbench.editor('hello.aicf');
    const lenses = workbench.lenses(editor, 'Send');
    await expectSoon(() => lenses.count(), 7);
    await workbench.typeAt('hello.aicf', 1, 1, 'LIST');
    // Enter takes a proposal where the list of them is open.
    await workbench.page.keyboard.press('Escape');
    await workbench.page.keyboard.press('Enter');
    await workbench.page.keyboard.press('Control+0');
    await expectSoon(() => lenses.count(), 8);
  });
});
