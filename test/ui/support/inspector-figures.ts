import type { Page } from 'playwright-core';
import { launchBrowser } from '../../../scripts/vscode/browser.ts';
import { ensureChromium } from '../../../scripts/vscode/system.ts';
import { measureScroll } from './frames.ts';
import { openLonePage } from './open-lone-page.ts';

const SIZE = 4_000;

/** Some 3,600 pixels a second down, and a fifth of that across. */
const SCROLL = { frames: 240, across: 12, down: 60 };

/** Prints the figures of the inspector's page as JSON: 64 MB of different values, scrolled in the grid. */
async function main(): Promise<void> {
  const browser = await launchBrowser(await ensureChromium(line => console.error(line)));
  try {
    const page = await openLonePage(browser, 'tensor');
    await show(page);
    const scroller = page.locator('.grid-view .scroller');
    console.log(JSON.stringify([await measureScroll(`${SIZE} × ${SIZE} floats: scroll`, scroller, SCROLL)]));
  } finally {
    await browser.close();
  }
}

/** Shows the tensor, and waits until what is worked out once, such as the statistics, is there. */
async function show(page: Page): Promise<void> {
  await page.evaluate(size => {
    const values = Float32Array.from({ length: size * size }, (_, index) => Math.sin(index));
    const tensor = { dtype: 'float32', shape: [size, size], bytes: new Uint8Array(values.buffer) };
    const subject = { id: 'bench', name: 'waves', place: 'the bench', canEdit: false };
    window.dispatchEvent(new MessageEvent('message', { data: { type: 'show', subject, tensor } }));
  }, SIZE);
  await page.getByRole('gridcell').first().waitFor();
  await page.locator('.summary').getByText('≈').first().waitFor({ state: 'hidden' });
}

await main();
