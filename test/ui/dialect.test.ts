import { before, describe, it } from 'mocha';
import type { Locator } from 'playwright-core';
import { takeWindow } from './support/shared-window.ts';
import { expectSoon } from './support/wait.ts';
import type { Workbench } from './support/workbench.ts';

describe('the dialect of an AICF file', () => {
  let workbench: Workbench;
  let editor: Locator;
  before(async () => {
    workbench = await takeWindow();
    editor = await workbench.openFile('hello.aicf');
    await workbench.runCommand('Explorer: Focus on Outline View');
  });

  /** The text beside the language in the status bar, the first lines of the outline, and how many lines have an error. */
  async function look(): Promise<unknown> {
    const status = await workbench.page.locator('[id="status.languageStatus"] a').getAttribute('aria-label');
    return {
      status: status?.replace(/^Editor Language Status: /, ''),
      outline: (await workbench.rowsOf('Outline')).slice(0, 2),
      errors: await workbench.errorUnderlines(editor).count(),
    };
  }

  const RPC = {
    status: 'AICF-RPC, Line 6 is a message.',
    outline: ['math.add (function)', 'weather.forecast (function)'],
    errors: 1,
  };

  it('is shown beside the language, with the reason', () => expectSoon(look, RPC));

  it('is another once it is picked, and the outline follows', async () => {
    await workbench.pick('Parley: Read AICF File As…', 'AICF context');
    await expectSoon(look, {
      status: 'AICF context, It was chosen for this file.',
      outline: [],
      errors: 0,
    });
  });

  it('is what the file looks like again', async () => {
    await workbench.pick('Parley: Read AICF File As…', 'Detect');
    await expectSoon(look, RPC);
  });
});
