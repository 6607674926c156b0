import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { after, before, describe, it } from 'mocha';
import type { Locator } from 'playwright-core';
import { ROOT } from '../../scripts/root.ts';
import { takeWindow } from './support/shared-window.ts';
import { expectSoon } from './support/wait.ts';
import type { Workbench } from './support/workbench.ts';

const CALLS = `# @agent toolbox
CALL|figma.getFile|abc123|1.0

# Another one
CALL|docs.search|quarterly revenue by region|5
`;

/** The rows of a table in lines, without times. */
function rowsOf(lines: readonly string[]): readonly string[] {
  const end = lines.find(line => line.startsWith('Protocol'))?.indexOf(' | Parse') ?? 0;
  return lines.filter(line => line.includes(' | ')).map(line => line.slice(0, end));
}

/** What the command line prints for a text. */
async function printedFor(text: string): Promise<readonly string[]> {
  const file = join(tmpdir(), `parley-cost-${process.pid}.aicf`);
  await writeFile(file, text);
  const command = [join(ROOT, 'dist', 'cli.js'), 'tokens', file];
  const { stdout } = await promisify(execFile)(process.execPath, command);
  return rowsOf(stdout.split('\n'));
}

describe('the cost of messages', () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await takeWindow({ files: { 'calls.aicf': CALLS } });
  });
  after(() => workbench.closeEditors());

  const status = (): Locator => workbench.page.locator('.statusbar-item', { hasText: /token/ });
  const lines = (): Promise<readonly string[]> => workbench.linesOf(workbench.editor('parley-cost'));

  it('is shown in the status bar, and a click opens the comparison that the command line prints', async () => {
    await workbench.openFile('calls.aicf');
    await workbench.typeAt('calls.aicf', 2, 8, '');
    await expectSoon(() => status().allInnerTexts(), ['13 tokens · 29 B']);
    await status().click();
    await expectSoon(async () => rowsOf(await lines()), await printedFor('CALL|figma.getFile|abc123|1.0'));
    await expectSoon(async () => (await lines())[0], '`calls.aicf`, line 2: 1 message, tokens of o200k_base');
    // What is typed is counted as soon as nothing is typed.
    await workbench.typeAt('calls.aicf', 2, 30, '|draft');
    const typed = await printedFor('CALL|figma.getFile|abc123|1.0|draft');
    await expectSoon(async () => rowsOf(await lines()), typed);
    await expectSoon(() => status().allInnerTexts(), ['15 tokens · 35 B']);
    await workbench.runCommand('File: Revert File');
  });
});
