import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { takeWindow } from './support/shared-window.ts';
import { expectSoon } from './support/wait.ts';
import type { Workbench } from './support/workbench.ts';

const FILE = 'texts.aicl';
const LINES = [
  '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s1],[s:msg_type]:[s:result],',
  '  [s:data]:[s:see [1\\u005D there],',
  '  [s:typed]:[s:],',
  '  [s:pasted]:[s:C:\\],',
  '  [s:edited]:[s:one [1\\u005D]',
  ']',
];

describe('texts of AICL, as a user writes them', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await takeWindow({ files: { [FILE]: `${LINES.join('\n')}\n` } });
    await workbench.openFile(FILE);
  });

  /** A line of the file, with its hints. */
  async function line(number: number): Promise<string | undefined> {
    return (await workbench.linesOf(workbench.editor(FILE)))[number - 1];
  }

  it('show the character that an escape means behind it', async () => {
    await expectSoon(() => line(2), '  [s:data]:[s:see [1\\u005D] there],');
  });

  it('take a bracket behind a backslash as its escape', async () => {
    await workbench.typeAt(FILE, 3, 16, 'a\\]');
    await expectSoon(() => line(3), '  [s:typed]:[s:a\\u005D]],');
    await workbench.page.keyboard.type(' b');
    await expectSoon(() => line(3), '  [s:typed]:[s:a\\u005D] b],');
  });

  it('take what is pasted encoded, with a backslash before it', async () => {
    await workbench.typeAt(FILE, 4, 20, '');
    await workbench.page.evaluate(() => navigator.clipboard.writeText('] and [2]'));
    await workbench.page.keyboard.press('Control+v');
    await expectSoon(() => line(4), '  [s:pasted]:[s:C:\\\\\\u005D] and [2\\u005D]],');
    assert.equal(await workbench.errorUnderlines(workbench.editor(FILE)).count(), 0);
  });

  it('open decoded in an editor of their own, which writes back', async () => {
    await workbench.typeAt(FILE, 5, 20, '');
    await workbench.runCommand('Parley: Edit Text');
    await workbench.tab('edited.txt').waitFor();
    const editor = workbench.editor('edited.txt');
    await expectSoon(() => workbench.linesOf(editor), ['one [1]']);
    await workbench.typeAt('edited.txt', 1, 8, ', two [2]');
    await workbench.screenshot('edit-text-dark');
    await workbench.page.keyboard.press('Control+s');
    await expectSoon(() => line(5), '  [s:edited]:[s:one [1\\u005D], two [2\\u005D]]');
  });
});
