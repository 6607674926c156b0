import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import axe, { type AxeResults, type Result, type RunOptions } from 'axe-core';
import { before, describe, it } from 'mocha';
import type { FrameLocator } from 'playwright-core';
import { takeWindow } from './support/shared-window.ts';
import { begin, print } from './support/trace-window.ts';
import type { Workbench } from './support/workbench.ts';

/** A trace with everything that a page draws in a colour: states, a cycle, parts, notes and payloads. */
const TRACE = print([
  begin('a', 0, { agent: 'planner', title: 'plan trip' }),
  { type: 'wire', call: 'a', at: 1, direction: 'out', bytes: { text: 'CALL|plan.trip|{"city":"Lisbon"}\n' } },
  begin('b', 60, { parent: 'a', agent: 'booker', title: 'book' }),
  begin('c', 70, { parent: 'b', agent: 'planner', title: 'plan again' }),
  { type: 'note', call: 'c', at: 71, text: 'A note' },
  { type: 'end', call: 'c', at: 80, status: 'aborted' },
  { type: 'end', call: 'b', at: 95, status: 'error', code: '422', message: 'No room is free' },
  { type: 'wire', call: 'a', at: 800, direction: 'in', bytes: { text: 'STREAM|one\n' } },
  { type: 'wire', call: 'a', at: 900, direction: 'in', bytes: { text: 'STREAM|two\nEND\n' } },
  { type: 'end', call: 'a', at: 1240, status: 'ok' },
  begin('d', 1300, { parent: 'a', agent: 'slow', title: 'wait' }),
]);

const TENSORS = '[l:[t:uint8:2,2:0RjUA],\n[t:uint8:2,2:0RjUC]]\n';

/** Each page, and how a user opens it. The views in its tabs are looked at one after the other. */
const PAGES: Readonly<Record<string, (workbench: Workbench) => Promise<FrameLocator>>> = {
  timeline: async workbench => {
    const page = await workbench.openPage('axe.agenttrace.jsonl');
    await page.getByRole('treegrid', { name: 'Calls' }).getByRole('row').first().click();
    await page.getByText('plan.trip').first().waitFor();
    return page;
  },
  'tensor inspector and comparison': async workbench => {
    await workbench.openFile('axe.aicl');
    await workbench.typeAt('axe.aicl', 1, 5, '');
    await workbench.pick('Parley Tensor: Compare…', '[1]');
    await workbench.webview().locator('.compare-view .verdict').waitFor();
    return workbench.webview();
  },
  form: async workbench => {
    await workbench.pick('Parley Agents: Call Tool…', 'toolbox', 'weather');
    await workbench.webview().locator('form').waitFor();
    await workbench.webview().getByRole('button', { name: 'Send', exact: true }).click();
    await workbench.webview().locator('.fault:visible').first().waitFor();
    return workbench.webview();
  },
  reply: async workbench => {
    const editor = await workbench.openFile('hello.mcp.jsonc');
    await workbench.lenses(editor, 'Send').first().click();
    await workbench.webview().locator('.reply-body .piece').first().waitFor();
    return workbench.webview();
  },
  compose: async workbench => {
    await workbench.openSidePanel();
    const page = workbench.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
    await page.getByLabel('Agent', { exact: true }).selectOption('toolbox');
    await page.getByLabel('Mode', { exact: true }).selectOption('aicf');
    await page.getByLabel('Request').fill('CALL|math.add|1|2\n\ncall|math.add|3|4');
    await page.locator('.issue').first().waitFor();
    return page;
  },
  'chat in compose': async workbench => {
    await workbench.openSidePanel();
    const page = workbench.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
    await page.getByLabel('Agent', { exact: true }).selectOption('storyteller');
    const input = page.getByLabel('Message', { exact: true });
    await input.fill('Tell me of Lisbon');
    await input.press('Enter');
    await page
      .locator('.turn')
      .last()
      .getByText(/^ok · /)
      .waitFor();
    return page;
  },
};

/** What a user sets, and the class that VS Code's window has then. */
const THEMES = [
  ['dark', 'Dark Modern', 'vs-dark'],
  ['light', 'Light Modern', 'vs'],
  ['high contrast', 'Default High Contrast', 'hc-black'],
] as const;

for (const [name, theme, className] of THEMES)
  describe(`pages in ${name} colours`, () => {
    let workbench: Workbench;
    before(async () => {
      workbench = await takeWindow({ files: { 'axe.agenttrace.jsonl': TRACE, 'axe.aicl': TENSORS } });
      const settings = { 'window.autoDetectColorScheme': false, 'workbench.colorTheme': theme };
      await writeFile(join(workbench.folder, '.vscode', 'settings.json'), JSON.stringify(settings));
      await workbench.page.locator(`.monaco-workbench.${className}`).waitFor();
    });

    for (const [page, open] of Object.entries(PAGES))
      it(`have no fault that axe finds: ${page}`, async () => {
        const view = await open(workbench);
        const found = [...(await findFaults(view))];
        for (const tab of (await view.getByRole('tab').all()).slice(1)) {
          await tab.click();
          found.push(...(await findFaults(view)));
        }
        assert.deepEqual(found, []);
        await workbench.closeEditors();
      });
  });

/** A tab or a view of VS Code has the heading of the page in it. */
const OUTSIDE = ['page-has-heading-one'];

/** What axe takes for a fault: that an element which another one has by `aria-owns` is also a child of its parent. */
function isOwned({ id, nodes }: Result): boolean {
  return id === 'aria-required-children' && nodes.every(({ html }) => html.includes('aria-label="Values of'));
}

/** Runs axe in the frame of a page. An expression that the browser's debugger evaluates is not subject to the page's policy. */
async function findFaults(page: FrameLocator): Promise<readonly string[]> {
  const frame = await (await page.owner().elementHandle())?.contentFrame();
  assert.ok(frame);
  await frame.evaluate(axe.source);
  const { violations, passes } = await frame.evaluate(
    rules =>
      (globalThis as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } }).axe.run({
        rules: Object.fromEntries(rules.map(rule => [rule, { enabled: false }])),
      }),
    OUTSIDE,
  );
  assert.ok(passes.length > 10, `axe looked at ${passes.length} rules only`);
  return violations
    .filter(violation => !isOwned(violation))
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
}
