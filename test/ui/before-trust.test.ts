import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { FrameLocator } from 'playwright-core';
import { openUntrustedWindow } from './support/shared-window.ts';
import { expectSoon } from './support/wait.ts';
import type { Workbench } from './support/workbench.ts';

/** Commands that reach an agent or open a port, and at the end one that does neither. */
const REACHING = [
  'Parley Agents: Connect',
  'Parley Agents: Record',
  'Parley Agents: Start Demo Agents',
  'Parley: Telemetry',
  'Parley: Show Log',
];

/** The page that contains a text. */
async function findPage({ page }: Workbench, selector: string): Promise<FrameLocator> {
  let found: FrameLocator | undefined;
  await expectSoon(async () => {
    for (const frame of await page.locator('iframe.webview.ready').all()) {
      const inner = frame.contentFrame().frameLocator('iframe#active-frame');
      if ((await inner.locator(selector).count()) > 0) found = inner;
    }
    return found !== undefined;
  }, true);
  assert.ok(found);
  return found;
}

// The first test file by its name: the files after it share its window, which is trusted at the end.
describe('a window on a folder that is not trusted', () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await openUntrustedWindow();
  });

  it('checks and colours files', async () => {
    const editor = await workbench.openFile('hello.aicf');
    await workbench.errorUnderlines(editor).first().waitFor();
    const line = await workbench.piecesOf(editor, 'CALL|math.add');
    assert.deepEqual(
      line.map(({ text }) => text),
      ['CALL', '|', 'math.add', '|', '19', '|', '23'],
    );
  });

  it('sends nothing, and says so above each request', async () => {
    const editor = workbench.editor('hello.aicf');
    await expectSoon(() => workbench.lenses(editor, 'Trust the folder to send').count(), 7);
    await workbench.page.keyboard.press('Control+Alt+Enter');
    await workbench.openSidePanel();
    assert.deepEqual(await workbench.rowsOf('Traces'), []);
    const words = 'This workspace is not trusted, so nothing is sent from it.';
    await expectSoon(async () => (await workbench.view('Traces').innerText()).includes(words), true);
  });

  it('offers to connect, record and call nothing', async () => {
    await workbench.view('Agents').locator('.pane-header').waitFor();
    const row = workbench.row('Agents', /^toolbox\b/);
    await row.hover();
    const actions = await row.locator('.actions a.action-label:not(.disabled)').all();
    const names = await Promise.all(actions.map(action => action.getAttribute('aria-label')));
    assert.deepEqual(names, ['Open File']);
    const offered: string[] = [];
    for (const title of REACHING) {
      const widget = await workbench.askQuickInput('F1', `>${title}`);
      await widget.locator('.monaco-list-row').first().waitFor();
      const rows = await widget.locator('.monaco-list-row', { hasText: title }).count();
      if (rows > 0) offered.push(title);
      await workbench.page.keyboard.press('Escape');
      await widget.waitFor({ state: 'hidden' });
    }
    assert.deepEqual(offered, ['Parley: Show Log']);
  });

  it('sends nothing from the composer, and says why', async () => {
    const page = await findPage(workbench, '.composer');
    await page.getByLabel('Agent').selectOption('toolbox');
    await page.getByLabel('Mode').selectOption('aicf');
    await page.getByLabel('Request').fill('CALL|math.add|1|2');
    await page.getByRole('button', { name: 'Send' }).click();
    await expectSoon(
      async () => (await page.locator('.composer').innerText()).includes('This workspace is not trusted'),
      true,
    );
    assert.deepEqual(await workbench.rowsOf('Traces'), []);
  });

  it('calls no tool, and says why', async () => {
    const { page } = workbench;
    const tabs = await workbench.tabs();
    await workbench.runCommand('Parley Agents: Call Tool…');
    const said = page.locator('.notification-list-item-message');
    await expectSoon(
      () => said.allInnerTexts(),
      ['This workspace is not trusted, so nothing is started or sent from it. Trust the workspace first.'],
    );
    await workbench.clearNotifications();
    // It asked for no agent and opened no form, and nothing was sent.
    assert.deepEqual(
      [await page.locator('.quick-input-widget:visible').count(), await workbench.tabs()],
      [0, tabs],
    );
    assert.deepEqual(await workbench.rowsOf('Traces'), []);
  });

  it('sends as soon as it is trusted', async () => {
    await workbench.trust();
    const composer = await findPage(workbench, '.composer');
    await expectSoon(
      async () => (await composer.locator('.composer').innerText()).includes('not trusted'),
      false,
    );
    const editor = workbench.editor('hello.aicf');
    await expectSoon(() => workbench.lenses(editor, 'Trust the folder').count(), 0);
    await expectSoon(() => workbench.lenses(editor, 'Send').count(), 7);
    await workbench.clickLens(editor, 'Send', 'CALL|math.add');
    await workbench.row('Traces', /^math\.add, sent to toolbox, ok · /).waitFor();
    // The reply opens after the row is drawn; the next test file begins with no editor.
    await workbench.tab('math.add ok').waitFor();
  });
});
