import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { expectSoon } from './support/wait.ts';
import { Workbench } from './support/workbench.ts';

describe('a window on a folder that is not trusted', () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await Workbench.open({ trust: 'asked' });
  });
  after(() => workbench.close());

  it('checks and colours files', async () => {
    const editor = await workbench.openFile('hello.aicf');
    await workbench.errorUnderlines(editor).first().waitFor();
    const line = await workbench.piecesOf(editor, 'CALL|math.add');
    assert.deepEqual(
      line.map(({ text }) => text),
      ['CALL', '|', 'math.add', '|', '19', '|', '23'],
    );
  });

  it('offers to send nothing', async () => {
    assert.equal(await workbench.lenses(workbench.editor('hello.aicf'), 'Send').count(), 0);
    await workbench.page.keyboard.press('Control+Alt+Enter');
    await workbench.openSidePanel();
    assert.deepEqual(await workbench.rowsOf('Traces'), []);
    assert.match(
      await workbench.view('Traces').innerText(),
      /This workspace is not trusted, so nothing is sent from it\./,
    );
  });

  it('sends as soon as it is trusted', async () => {
    await workbench.trust();
    const editor = workbench.editor('hello.aicf');
    await expectSoon(() => workbench.lenses(editor, 'Send').count(), 7);
    await workbench.clickLens(editor, 'Send', 'CALL|math.add');
    await workbench.row('Traces', /^math\.add, sent to toolbox, ok · /).waitFor();
  });
});
