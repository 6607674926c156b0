import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'mocha';
import { ROOT } from '../../scripts/root.ts';
import { expectSoon } from './support/wait.ts';
import { Workbench } from './support/workbench.ts';

/** Ctrl-C, and the exit code that follows. */
function interrupt(child: ChildProcess): Promise<number | null> {
  const ended = new Promise<number | null>(resolve => child.once('close', resolve));
  child.kill('SIGINT');
  return ended;
}

describe('npm start without a desktop VS Code', () => {
  let child: ChildProcess;
  let toolbox = '';
  let url = '';

  before(async () => {
    // No screen, and only Node on the path: whatever else this machine has, the server build is what opens.
    const PATH = dirname(process.execPath);
    child = spawn(process.execPath, [join(ROOT, 'scripts/start.ts')], {
      env: { ...process.env, PATH, DISPLAY: undefined, WAYLAND_DISPLAY: undefined },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    assert.ok(child.stdout);
    for await (const line of createInterface({ input: child.stdout })) {
      url = /^Open this address in a browser: (.*)$/.exec(line)?.[1] ?? '';
      if (url !== '') break;
    }
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
      // The first request to an AICF server is preceded by the question how it unescapes.
      const sentTo = workbench.webview().getByText(/^POST http:/);
      await expectSoon(() => sentTo.count(), 2);
      toolbox = (await sentTo.first().innerText()).replace('POST ', '');
      assert.match(toolbox, /^http:\/\/127\.0\.0\.1:\d+\/aip\/v1\/aicf$/);
      await workbench.page.keyboard.press('Control+w');
      await workbench.clickLens(editor, 'Send', 'call|text.reverse');
      const told = workbench.page.locator('.notification-toast', { hasText: 'Not sent' });
      await told.waitFor();
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
