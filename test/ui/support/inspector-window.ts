import assert from 'node:assert/strict';
import { afterEach, before, describe, it } from 'mocha';
import type { Locator } from 'playwright-core';
import type { ColorScheme } from '../../../scripts/vscode/browser.ts';
import { countScrollWork } from './scroll-work.ts';
import { takeWindow } from './shared-window.ts';
import { expectSoon } from './wait.ts';
import type { Workbench } from './workbench.ts';

/** A file as NumPy writes it: the header of version 1.0, then the elements. */
function npyFile(descr: string, shape: readonly number[], data: Uint8Array): Buffer {
  const header = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${shape.join(', ')}), }`;
  const padded = `${header.padEnd(Math.ceil((header.length + 11) / 64) * 64 - 11)}\n`;
  const start = Buffer.from([0x93, ...Buffer.from('NUMPY'), 1, 0, padded.length & 255, padded.length >> 8]);
  return Buffer.concat([start, Buffer.from(padded, 'latin1'), data]);
}

/** A square of different values. */
function makeWaves(size: number): Float32Array {
  return Float32Array.from({ length: size * size }, (_, index) => Math.sin(index));
}

/** 224 rows of 224 pixels, red to the right, green downwards, blue in squares. */
function makeImage(): Uint8Array {
  const bytes = new Uint8Array(224 * 224 * 3);
  for (let row = 0; row < 224; row++)
    for (let column = 0; column < 224; column++)
      bytes.set([column, row, ((row >> 4) ^ (column >> 4)) & 1 ? 255 : 0], (row * 224 + column) * 3);
  return bytes;
}

const IMAGE = makeImage();
/** In pixels of each frame. */
const SCROLL = { frames: 60, across: 24, down: 60 };
/** Pixels of a row of the grid. */
const ROW = 22;

const FILES = {
  'short.aicl': '[d:[s:data]:[t:float32:75000000:0RR910RR91]]\n',
  'image.npy': npyFile('|u1', [224, 224, 3], IMAGE),
};

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** What differs between windows with the inspector. */
export interface InspectorWindow {
  readonly colorScheme: ColorScheme;
  /** Rows and columns of the grid that is scrolled. */
  readonly gridSize: number;
}

/** Declares the tests of the tensor inspector in a window. */
export function testInspectorWindow({ colorScheme, gridSize }: InspectorWindow): void {
  describe(`the tensor inspector in a ${colorScheme} window`, () => {
    let workbench: Workbench;
    /** What the browser refused to do for a page: it says so there and nowhere else. */
    const refused: string[] = [];

    before(async () => {
      workbench = await takeWindow({
        colorScheme,
        files: {
          ...FILES,
          'large.npy': npyFile('<f4', [gridSize, gridSize], new Uint8Array(makeWaves(gridSize).buffer)),
        },
      });
      workbench.page.on('console', message => {
        if (/Content Security Policy/i.test(message.text())) refused.push(message.text());
      });
    });
    afterEach(() => workbench.closeEditors());

    const cells = (): Locator => workbench.webview().getByRole('gridcell');
    const texts = async (): Promise<readonly string[]> =>
      (await cells().allInnerTexts()).map(text => text.trim());
    const problem = (): Locator => workbench.webview().locator('.problem-line');

    it('opens from the lens above a tensor and follows what is typed', async () => {
      const editor = await workbench.openFile('tensors.aicl');
      await workbench.clickLens(editor, 'Inspect', '[s:data]:[t:float32');
      await expectSoon(async () => (await texts()).slice(0, 4), ['0.0010', '0.2990', '−0.2740', '−0.8910']);
      const label = await workbench.tab('data ').getAttribute('aria-label');
      assert.match(label ?? '', /^data [\d×]+ · message \d+/);
      await workbench.screenshot(`inspector-${colorScheme}`);
      // A shape that the data do not fill, then back.
      await workbench.typeAt('tensors.aicl', 9, 23, '3');
      await problem().getByText('48 bytes').waitFor();
      await expectSoon(async () => (await texts())[0], '0.0010');
      await workbench.page.keyboard.press('Control+z');
      await problem().waitFor({ state: 'hidden' });
    });

    it('refuses 300 MB that are declared over a short payload, with the numbers', async () => {
      const editor = await workbench.openFile('short.aicl');
      await workbench.clickLens(editor, 'Inspect', '[d:[s:data]');
      await problem().waitFor();
      const said = await problem().innerText();
      assert.match(said, /^Invalid: The data has 10 characters \(8 bytes\);.* needs 300000000 bytes/);
      assert.equal(await cells().count(), 0);
    });

    it('shows 224 × 224 × 3 bytes as the image that they are', async () => {
      const page = await workbench.openPage('image.npy');
      await page.getByRole('tab', { name: 'Picture' }).click();
      const canvas = page.locator('.picture-view canvas.picture');
      await page.getByRole('button', { name: 'Actual size, 1:1' }).click();
      const readPixels = (): Promise<readonly number[]> =>
        canvas.evaluate(node => {
          const { width, height } = node as HTMLCanvasElement;
          const data = (node as HTMLCanvasElement).getContext('2d')?.getImageData(0, 0, width, height).data;
          return [width, height, ...(data ?? [])];
        });
      const rgba = Array.from({ length: 224 * 224 }, (_, pixel) => [
        ...IMAGE.subarray(pixel * 3, pixel * 3 + 3),
        255,
      ]).flat();
      await expectSoon(
        async () => Buffer.from((await readPixels()).slice(2)).equals(Buffer.from(rgba)),
        true,
      );
      assert.deepEqual((await readPixels()).slice(0, 2), [224, 224]);
      await workbench.screenshot(`image-${colorScheme}`);
    });

    it(`scrolls a ${gridSize} × ${gridSize} grid by writing what comes into view, in the cells that are there`, async () => {
      const page = await workbench.openPage('large.npy');
      await cells().first().waitFor();
      // What is worked out once, such as the statistics, is not what is counted.
      await page.locator('.summary').getByText('≈').first().waitFor({ state: 'hidden' });
      const scroller = page.locator('.grid-view .scroller');
      const rows = page.locator('.grid-body').getByRole('row');
      const [count, lines] = [await cells().count(), await rows.count()];
      assert.equal(lines, await scroller.evaluate((node, row) => Math.ceil(node.clientHeight / row), ROW));
      const { frames, layouts } = await countScrollWork(scroller, SCROLL);
      const top = SCROLL.frames * SCROLL.down;
      assert.deepEqual(await scroller.evaluate(node => [node.scrollLeft, node.scrollTop]), [
        SCROLL.frames * SCROLL.across,
        top,
      ]);
      assert.deepEqual([await cells().count(), await rows.count()], [count, lines]);
      assert.equal(total(frames.map(({ nodes }) => nodes)), 0);
      // A row is given its number when it comes into view, and then no more.
      const first = Math.floor(top / ROW);
      assert.equal(total(frames.map(({ attributes }) => attributes['aria-rowindex'] ?? 0)), first);
      const numbers = await rows.evaluateAll(nodes => nodes.map(node => Number(node.ariaRowIndex)));
      assert.deepEqual(
        numbers.sort((one, other) => one - other),
        Array.from({ length: lines }, (_, at) => first + at + 2),
      );
      // No cell and no head is written twice in a frame.
      const most = Math.max(...frames.map(({ texts }) => texts));
      assert.ok(most <= count + lines + count / lines, `${most} texts in a frame, ${count} cells`);
      // None for each cell or row: the layout of a frame is worked out when all is written.
      assert.ok(layouts <= 2 * SCROLL.frames, `${layouts} layouts in ${SCROLL.frames} frames`);
    });

    it('asks for nothing that its page may not do', () => {
      assert.deepEqual(refused, []);
    });
  });
}
