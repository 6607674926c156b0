import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { after, before, describe, it } from 'mocha';
import { interrupt, startProject } from '../../ui/support/start-project.ts';
import { expectSoon } from '../../ui/support/wait.ts';
import { Workbench } from '../../ui/support/workbench.ts';

describe('npm start without a desktop VS Code', () => {
  let child: ChildProcess;
  let toolbox = '';
  let url = '';

  before(async () => {
    ({ child, url } = await startProject());
  });
  after(() => child.kill('SIGINT'));

  it('opens samples/ with Parley in it, and demo agents that show who asks whom', async () => {
    const workbench = await Workbench.visit(url);
    try {
      // The address names the file: it is open without a step of the user's.
      const editor = workbench.editor('hello.aicf');
      await workbench.openSidePanel();
      await expectSoon(() => workbench.lenses(editor, 'Send').count(), 7);
      await workbench.clickLens(editor, 'Send', 'CALL|math.add');
      // A page that opens at the same time as the reply may stand behind it.
      await workbench.tab('math.add ok').waitFor();
      await workbench.row('Traces', /^math\.add, sent to toolbox, ok · /).click();
      // The question how the server unescapes, which comes first, is folded.
      const sentTo = workbench.webview().getByText(/^POST http:/);
      await expectSoon(() => sentTo.count(), 1);
      toolbox = (await sentTo.first().innerText()).replace('POST ', '');
      assert.match(toolbox, /^http:\/\/127\.0\.0\.1:\d+\/aip\/v1\/aicf$/);
      await workbench.page.keyboard.press('Control+w');
      await workbench.clickLens(editor, 'Send', 'call|text.reverse');
      const reported = workbench.page.locator('.notification-toast', { hasText: 'Not sent' });
      await reported.waitFor();
      const team = await workbench.openFile('team.aicf');
      const widget = await workbench.askQuickInput('Control+g', ':34:1');
      await workbench.page.keyboard.press('Enter');
      await widget.waitFor({ state: 'hidden' });
      await workbench.clickLens(team, 'Send', 'CALL|ask|Who');
      // Seven calls of three agents, of which the recursion guard refused the last.
      await workbench.row('Traces', /^ask, sent to loop, error -33007 .*3 agents.*7 calls/).waitFor();
    } finally {
      await workbench.close();
    }
  });

  it('ends everything on Ctrl-C', async () => {
    assert.equal(await interrupt(child), 0);
    for (const address of [toolbox, url]) {
      await assert.rejects(fetch(address, { method: 'POST', body: 'LIST' }), `${address} still answers`);
    }
  });
});
