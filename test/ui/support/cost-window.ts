import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, before, describe, it } from 'mocha';
import type { FrameLocator, Locator } from 'playwright-core';
import { CONVERSIONS } from '../../../protocol/src/catalog/conversions.ts';
import type { CostTable } from '../../../protocol/src/cost/cost-table.ts';
import { ROOT } from '../../../scripts/root.ts';
import type { ColorScheme } from '../../../scripts/vscode/browser.ts';
import { takeWindow } from './shared-window.ts';
import { expectSoon } from './wait.ts';
import type { Workbench } from './workbench.ts';

const CALLS = `# @agent toolbox
CALL|figma.getFile|abc123|1.0

# Another one
CALL|docs.search|quarterly revenue by region|5
OK|{"hits":[{"id":1,"title":"Revenue 2025"},{"id":2,"title":"Regions"}]}
`;

/** Tokens, ratio, bytes and ratio of each row, by what it is called. */
type Numbers = Readonly<Record<string, readonly string[]>>;

const LAYOUTS = {
  source: 'as written',
  pretty: 'pretty',
  compact: 'minified',
  single: 'one layout',
} as const;

/** What the command line prints for a text. */
async function printedFor(text: string, encoding: string): Promise<Numbers> {
  const file = join(tmpdir(), `parley-cost-${process.pid}.aicf`);
  await writeFile(file, text);
  const command = [join(ROOT, 'dist', 'cli.js'), 'tokens', file, '--encoding', encoding, '--format', 'json'];
  const { stdout } = await promisify(execFile)(process.execPath, command);
  const [{ rows } = { rows: [] }] = JSON.parse(stdout) as readonly CostTable[];
  const title = (name: string | undefined): string | undefined =>
    CONVERSIONS.find(row => row.name === name)?.short;
  return Object.fromEntries(
    rows.map(row => [
      `${title(row.protocol)} ${LAYOUTS[row.layout]}`,
      [String(row.tokens), row.tokenRatio.toFixed(2), String(row.bytes), row.byteRatio.toFixed(2)],
    ]),
  );
}

/** Declares the tests of the cost of messages in the colours of a scheme: `one` is that of the figures alone. */
export function testCostWindow(colorScheme: ColorScheme, tests: 'all' | 'one'): void {
  describe(`the cost of messages in a ${colorScheme} window`, () => {
    let workbench: Workbench;
    before(async () => {
      workbench = await takeWindow({ colorScheme, files: { 'calls.aicf': CALLS } });
    });
    afterEach(() => workbench.closeEditors());

    const page = (): FrameLocator => workbench.webview();
    const status = (): Locator => workbench.page.locator('.statusbar-item', { hasText: /token/ });
    const rows = (): Promise<readonly (readonly string[])[]> =>
      page()
        .locator('tbody tr')
        .evaluateAll(all =>
          all.map(row => [...row.children].map(cell => (cell.textContent ?? '').replaceAll(',', '').trim())),
        );
    const numbers = async (): Promise<Numbers> =>
      Object.fromEntries((await rows()).map(([name = '', ...cells]) => [name, cells.slice(0, 4)]));
    const column = async (at: number): Promise<readonly number[]> =>
      (await rows()).map(cells => Number(cells[at]));

    it('stands in the status bar, and a click compares what the command line prints', async () => {
      await workbench.openFile('calls.aicf');
      await workbench.typeAt('calls.aicf', 2, 8, '');
      await expectSoon(() => status().allInnerTexts(), ['13 tokens · 29 B']);
      await status().click();
      await expectSoon(numbers, await printedFor('CALL|figma.getFile|abc123|1.0', 'o200k_base'));
      assert.equal(await page().locator('tr[aria-current=true] th').innerText(), 'AICF as written');
      await workbench.screenshot(`cost-${colorScheme}`);
      await page().locator('select').selectOption('cl100k_base');
      await expectSoon(numbers, await printedFor('CALL|figma.getFile|abc123|1.0', 'cl100k_base'));
      // What is typed is counted as soon as nothing is typed.
      await workbench.typeAt('calls.aicf', 2, 30, '|draft');
      await expectSoon(numbers, await printedFor('CALL|figma.getFile|abc123|1.0|draft', 'cl100k_base'));
      await expectSoon(() => status().allInnerTexts(), ['15 tokens · 35 B']);
      await workbench.runCommand('File: Revert File');
    });

    if (tests === 'one') return;

    it('is sorted by each column, with the keyboard too', async () => {
      await workbench.openFile('calls.aicf');
      await workbench.runCommand('Parley: Compare Cost');
      await page().locator('tbody tr').first().waitFor();
      const own = await rows();
      const head = page().getByRole('button', { name: 'Tokens', exact: true });
      const sort = (): Promise<string | null> =>
        page().getByRole('columnheader', { name: 'Tokens', exact: true }).getAttribute('aria-sort');
      await head.focus();
      await workbench.page.keyboard.press('Enter');
      const up = await column(1);
      assert.deepEqual([up, await sort()], [up.toSorted((one, other) => one - other), 'ascending']);
      await workbench.page.keyboard.press('Enter');
      const down = await column(1);
      assert.deepEqual([down, await sort()], [down.toSorted((one, other) => other - one), 'descending']);
      assert.notDeepEqual(up, down);
      await workbench.page.keyboard.press('Enter');
      assert.deepEqual([await rows(), await sort()], [own, 'none']);
    });

    it('is opened row by row as a live view', async () => {
      await workbench.openFile('calls.aicf');
      await workbench.typeAt('calls.aicf', 2, 8, '');
      await workbench.runCommand('Parley: Compare Cost');
      await page().getByRole('row', { name: 'MCP minified' }).getByRole('button').click();
      await workbench.tab('calls.aicf → MCP').waitFor();
    });

    it('is copied as Markdown', async () => {
      await workbench.openFile('calls.aicf');
      await workbench.typeAt('calls.aicf', 2, 8, '');
      await workbench.runCommand('Parley: Compare Cost');
      await page().getByRole('button', { name: 'Copy as Markdown' }).click();
      await page().getByText('Copied').waitFor();
      const first = (await rows())[0]?.slice(1).join(' | ');
      const read = (): Promise<string> => workbench.page.evaluate(() => navigator.clipboard.readText());
      // The clipboard of a browser takes a moment longer than the command that writes to it.
      await expectSoon(
        async () => (await read()).split('\n').slice(2, 5),
        [
          '| Protocol | Layout | Tokens | Ratio | Bytes | Ratio | Parse ms | Losses |',
          '| --- | --- | --: | --: | --: | --: | --: | --: |',
          `| AICF | as written | ${first} |`,
        ],
      );
    });
  });
}
