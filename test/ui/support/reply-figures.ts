import type { Page } from 'playwright-core';
import { launchBrowser } from '../../../scripts/vscode/browser.ts';
import { ensureChromium } from '../../../scripts/vscode/system.ts';
import { measureScroll, type Figure } from './frames.ts';
import { openLonePage } from './open-lone-page.ts';
import { showLongReply } from './long-reply.ts';

const RUNS = 3;
const CHARACTERS = 10_000_000;
const CHUNKS = 50_000;

/** Some 4,000 pixels a second. */
const SCROLL = { frames: 240, across: 0, down: 66 };

/** Prints the figures of the page of a reply as JSON: one of 10 MB in 50,000 chunks opened, and scrolled. */
async function main(): Promise<void> {
  const browser = await launchBrowser(await ensureChromium(line => console.error(line)));
  try {
    const opened: number[] = [];
    let page = await openLonePage(browser, 'reply');
    for (let run = 0; run < RUNS; run++) {
      await page.context().close();
      page = await openLonePage(browser, 'reply');
      opened.push(await open(page));
    }
    const figures: readonly Figure[] = [
      { name: 'a reply of 10 MB: open', medianMs: middle(opened), runs: RUNS, maxMs: 300 },
      await measureScroll('a reply of 10 MB: scroll', page.locator('.reply-body'), SCROLL),
    ];
    console.log(JSON.stringify(figures));
  } finally {
    await browser.close();
  }
}

/** Milliseconds from the message of the extension to the frame in which it is drawn. */
async function open(page: Page): Promise<number> {
  await showLongReply(page, { characters: CHARACTERS, chunks: CHUNKS });
  return page.evaluate(async () => {
    const { shown } = globalThis as unknown as { shown: Promise<number> };
    return shown;
  });
}

function middle(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? NaN;
}

await main();
