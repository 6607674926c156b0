import { after, afterEach } from 'mocha';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../../scripts/vscode/browser.ts';
import { ensureChromium } from '../../../scripts/vscode/system.ts';
import { describeWindows } from './describe-windows.ts';

let shared: Promise<Browser> | undefined;
const endings: (() => Promise<void>)[] = [];

afterEach(async function () {
  if (this.currentTest?.state === 'failed' && shared) console.log(await describeWindows(await shared));
});

after(async () => {
  for (const end of endings) await end();
  const browser = await shared;
  shared = undefined;
  await browser?.close();
});

/** The one Chromium of all tests of a run. A test that opens a page in it closes the page's context. */
export function takeBrowser(): Promise<Browser> {
  shared ??= ensureChromium(line => console.log(line)).then(launchBrowser);
  return shared;
}

/** Has something end with the run, before the browser does. */
export function endWithRun(end: () => Promise<void>): void {
  endings.push(end);
}
