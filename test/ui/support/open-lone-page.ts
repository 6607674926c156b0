import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { ROOT } from '../../../scripts/root.ts';
import { openPage } from '../../../scripts/vscode/browser.ts';

const WEBVIEWS = join(ROOT, 'dist', 'webviews');

/** A page of the extension. */
export type PageName = 'composer' | 'form' | 'reply' | 'tensor' | 'timeline';

/** A page of the extension alone, with the extension's end of its messages in the test's hand: `globalThis.sent` holds what it sent. */
export async function openLonePage(browser: Browser, name: PageName): Promise<Page> {
  const page = await openPage(browser, 'dark');
  await startLonePage(page, name);
  return page;
}

/** Starts a page of the extension in an empty document. */
export async function startLonePage(page: Page, name: PageName): Promise<void> {
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
