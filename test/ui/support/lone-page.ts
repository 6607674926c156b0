import { join } from 'node:path';
import { after, before, beforeEach } from 'mocha';
import type { Browser, Page } from 'playwright-core';
import { ROOT } from '../../../scripts/root.ts';
import { openPage, WINDOW } from '../../../scripts/vscode/browser.ts';
import { takeBrowser } from './shared-browser.ts';

const WEBVIEWS = join(ROOT, 'dist', 'webviews');

/** A page of the extension. */
export type PageName = 'tensor' | 'timeline';

/** A page of the extension alone, with the extension's end of its messages in the test's hand: `globalThis.sent` holds what it sent. */
export async function openLonePage(browser: Browser, name: PageName): Promise<Page> {
  const page = await openPage(browser, 'dark');
  await startLonePage(page, name);
  return page;
}

/** Opens the page once for the suite that calls this, and loads it anew before each test. */
export function useLonePage(name: PageName): { readonly page: Page } {
  let page: Page;
  before(async () => {
    page = await openPage(await takeBrowser(), 'dark');
  });
  after(() => page.context().close());
  beforeEach(async () => {
    // Another document has other globals: nothing of the last test is left.
    await page.goto('about:blank');
    await page.setViewportSize(WINDOW);
    await startLonePage(page, name);
  });
  return {
    get page() {
      return page;
    },
  };
}

/** Starts a page of the extension in an empty document. */
async function startLonePage(page: Page, name: PageName): Promise<void> {
  await page.setContent('<main id="root"></main>');
  await page.evaluate(() => {
    const sent: unknown[] = [];
    Object.assign(globalThis, {
      sent,
      acquireVsCodeApi: () => ({
        postMessage: (message: unknown) => sent.push(message),
        getState: () => undefined,
        setState: () => undefined,
      }),
    });
  });
  await page.addStyleTag({ path: join(WEBVIEWS, `${name}.css`) });
  await page.addScriptTag({ path: join(WEBVIEWS, `${name}.js`) });
}
