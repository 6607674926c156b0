import assert from 'node:assert/strict';
import { afterEach, before, describe, it } from 'mocha';
import type { Locator } from 'playwright-core';
import { takeWindow } from './support/shared-window.ts';
import { expectSoon } from './support/wait.ts';
import type { Workbench } from './support/workbench.ts';

/** Twice 1, 2, 3 and 4. The data are small enough to be read: a group of base 85 is four bytes. */
const TEXT = '[l:[t:uint8:4:0RjUA],\n[t:uint8:4:0RjUA]]\n';

const FILES = {
  'edit.aicl': TEXT,
  'cast.aicl': TEXT,
  'shape.aicl': TEXT,
  'insert.aicl': '[l:]\n',
  'compare.aicl': TEXT.replace(/0RjUA(?=\]\]\n$)/, '0RjUC'),
};

describe('tensors that are changed in the window', () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await takeWindow({ files: FILES });
  });
  afterEach(() => workbench.closeEditors());

  const page = (): ReturnType<Workbench['webview']> => workbench.webview();
  const keyboard = (): Workbench['page']['keyboard'] => workbench.page.keyboard;
  const question = (): Locator => workbench.page.locator('.quick-input-widget:visible');
  const dialog = (): Locator => workbench.page.locator('.monaco-dialog-box');

  /** What a file's editor shows, the hints in it left out, and the values in the grid. */
  async function seen(name: string): Promise<{ text: readonly string[]; cells: readonly string[] }> {
    const lines = await workbench.linesOf(workbench.editor(name));
    const cells = await page().getByRole('gridcell').allInnerTexts();
    return { text: lines.map(withoutHint), cells: cells.map(text => text.trim()) };
  }

  async function inspect(name: string): Promise<void> {
    const editor = await workbench.openFile(name);
    await workbench.clickLens(editor, 'Inspect', '[l:[t:uint8');
    await page().getByRole('gridcell').first().waitFor();
  }

  /** Types in the place of a cell of the first column. */
  async function typeInCell(row: number, text: string): Promise<void> {
    // A click, not a focus: only then VS Code knows that the page has it.
    await page().getByRole('tab', { name: 'Grid' }).click();
    await page().getByRole('grid').focus();
    await keyboard().press('Control+Home');
    for (let step = 0; step < row; step++) await keyboard().press('ArrowDown');
    await keyboard().press('F2');
    await page().getByRole('textbox', { name: 'New value' }).fill(text);
    await keyboard().press('Enter');
  }

  async function chooseEdit(item: string): Promise<void> {
    await page().getByRole('button', { name: 'Edit' }).click();
    await page().getByRole('menuitem', { name: item }).click();
    await question().waitFor();
  }

  /** Answers the question that is asked now by a row of its list. */
  async function answer(row: string | RegExp): Promise<void> {
    await question().locator('.monaco-list-row', { hasText: row }).first().click();
  }

  it('take a value from the grid, and Undo in the document takes it back', async () => {
    await inspect('edit.aicl');
    await typeInCell(3, '300');
    await page().getByText('300 does not fit uint8: 0 to 255').waitFor();
    await keyboard().press('Escape');
    await typeInCell(3, '5');
    const changed = {
      text: ['[l:[t:uint8:4:0RjUB],', '[t:uint8:4:0RjUA]]', ''],
      cells: ['1', '2', '3', '5'],
    };
    await expectSoon(() => seen('edit.aicl'), changed);
    await workbench.tab('edit.aicl').click();
    await keyboard().press('Control+z');
    const before = { text: ['[l:[t:uint8:4:0RjUA],', '[t:uint8:4:0RjUA]]', ''], cells: ['1', '2', '3', '4'] };
    await expectSoon(() => seen('edit.aicl'), before);
    // The text above is overwritten: the tensor goes, and comes back by Undo.
    await keyboard().press('Control+a');
    await keyboard().type('gone');
    await page().getByText('This tensor is no longer in the document.').waitFor();
    await keyboard().press('Control+z');
    await expectSoon(() => seen('edit.aicl'), before);
    await page().getByText('This tensor is no longer in the document.').waitFor({ state: 'hidden' });
  });

  it('say what a cast loses before it is made', async () => {
    await inspect('cast.aicl');
    await typeInCell(0, '200');
    const before = {
      text: ['[l:[t:uint8:4:$N~cd],', '[t:uint8:4:0RjUA]]', ''],
      cells: ['200', '2', '3', '4'],
    };
    await expectSoon(() => seen('cast.aicl'), before);
    await chooseEdit('Cast to another type…');
    await answer(/^int8/);
    const said = 'Cancel\nCast to int8\n1 of 4 values changes: 1 does not fit int8.';
    await expectSoon(() => dialog().innerText(), said);
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'hidden' });
    assert.deepEqual(await seen('cast.aicl'), before);
    await chooseEdit('Cast to another type…');
    await answer(/^int8/);
    await dialog().getByRole('button', { name: 'Cast to int8' }).click();
    await expectSoon(() => seen('cast.aicl'), {
      text: ['[l:[t:int8:4:$N~cd],', '[t:uint8:4:0RjUA]]', ''],
      cells: ['−56', '2', '3', '4'],
    });
  });

  it('say what is wrong with a shape while it is typed', async () => {
    await inspect('shape.aicl');
    await chooseEdit('Reshape…');
    const input = question().locator('input[type="text"]');
    const said = question().locator('.quick-input-message');
    await input.fill('3, 2');
    await said.getByText('3×2 is 6 elements, the tensor has 4').waitFor();
    await input.fill('2, -1');
    await said.getByText('Gives 2 × 2.').waitFor();
    await keyboard().press('Enter');
    await expectSoon(() => seen('shape.aicl'), {
      text: ['[l:[t:uint8:2,2:0RjUA],', '[t:uint8:4:0RjUA]]', ''],
      cells: ['1', '2', '3', '4'],
    });
  });

  it('are inserted at the cursor, and in no other tensor', async () => {
    const editor = await workbench.openFile('insert.aicl');
    const text = async (): Promise<readonly string[]> => (await workbench.linesOf(editor)).map(withoutHint);
    await workbench.typeAt('insert.aicl', 1, 4, '');
    const insert = async (): Promise<void> => {
      await workbench.openQuickInput('F1');
      await question().locator('input[type="text"]').fill('>Parley Tensor: Insert');
      await answer('Parley Tensor: Insert');
    };
    await insert();
    await answer('Zeros');
    await answer(/^uint8/);
    await question().locator('input[type="text"]').fill('2, 2');
    await question().locator('.quick-input-message').getByText('4 elements, 4 bytes').waitFor();
    await keyboard().press('Enter');
    await expectSoon(text, ['[l:[t:uint8:2,2:00000]]', '']);
    await workbench.typeAt('insert.aicl', 1, 12, '');
    await insert();
    await workbench.page
      .locator('.notification-list-item-message', {
        hasText: 'A tensor cannot be inserted into another one.',
      })
      .waitFor();
    assert.deepEqual(await text(), ['[l:[t:uint8:2,2:00000]]', '']);
    await workbench.clearNotifications();
    await workbench.tab('insert.aicl').click();
  });

  it('are compared with each other, and the page keeps its tab when it comes back', async () => {
    await workbench.openFile('compare.aicl');
    await workbench.typeAt('compare.aicl', 1, 6, '');
    await workbench.openQuickInput('F1');
    await question().locator('input[type="text"]').fill('>Parley Tensor: Compare');
    await answer('Parley Tensor: Compare');
    const offered = question().locator('.monaco-list-row', { hasText: 'compare.aicl' });
    await offered.filter({ hasText: '[1]' }).first().waitFor();
    assert.equal(await offered.filter({ hasText: '[0]' }).count(), 0);
    await answer(/\[1\].*compare\.aicl/);
    const verdict = page().locator('.compare-view .verdict');
    await expectSoon(() => verdict.innerText(), '1 of 4 elements differ.');
    // The other one is changed to the same.
    await workbench.typeAt('compare.aicl', 2, 17, '');
    await keyboard().press('Backspace');
    await keyboard().type('A');
    await expectSoon(() => verdict.innerText(), 'Both tensors are the same, byte for byte.');
    await page().getByRole('tab', { name: 'Grid' }).click();
    await page().getByRole('gridcell').first().waitFor();
    await workbench.typeAt('compare.aicl', 2, 5, '');
    await workbench.runCommand('Parley Tensor: Inspect');
    await workbench.tab('[1]').waitFor();
    await workbench.tab('[0]').click();
    await page().getByRole('tab', { name: 'Compare' }).waitFor();
    await expectSoon(() => page().getByRole('tab', { selected: true }).innerText(), 'Grid');
    await page().getByRole('tab', { name: 'Compare' }).click();
    await page().getByRole('button', { name: 'End comparison' }).click();
    await page().getByRole('tab', { name: 'Compare' }).waitFor({ state: 'hidden' });
    await workbench.tab('compare.aicl').click();
  });

  it('of a file are picked by their names', async () => {
    await workbench.openPage('model.safetensors');
    const members = page().getByRole('combobox', { name: 'Tensor of the file' });
    const read = async (): Promise<unknown> => ({
      members: await members.locator('option').allInnerTexts(),
      name: await members.inputValue(),
      cells: (await page().getByRole('gridcell').allInnerTexts()).map(text => text.trim()),
    });
    await members.waitFor();
    await members.selectOption('encoder.bias');
    const bias = {
      members: ['tokens · int64 3', 'encoder.weight · float32 3×4', 'encoder.bias · float16 4'],
      name: 'encoder.bias',
      cells: ['−1.0000', '−0.3333', '0.3333', '1.0000'],
    };
    await expectSoon(read, bias);
    // Behind another tab the page is gone; it comes back to the same tensor.
    await workbench.openFile('hello.aicf');
    await workbench.tab('model.safetensors').click();
    await expectSoon(read, bias);
  });
});

/** A line without what is drawn before the data of a tensor: `4 bytes · 1…4 · mean 2.5`, and `…` where it is cut. */
function withoutHint(line: string): string {
  return line.replace(/(?<=\[t:[^:]*:[^:]*:)(?:\d+ bytes? · .*|…)(?=[^\]]{5}\])/, '');
}
