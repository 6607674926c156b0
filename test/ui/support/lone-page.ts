import { after, before, beforeEach } from 'mocha';
import type { Page } from 'playwright-core';
import { openPage, WINDOW } from '../../../scripts/vscode/browser.ts';
import { startLonePage, type PageName } from './open-lone-page.ts';
import { takeBrowser } from './shared-browser.ts';

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
