import { chromium as playwright, type Browser, type Page } from 'playwright-core';

const ARGUMENTS = [
  // Chromium's sandbox does not start for root, who runs tests in containers; only our own loopback page is opened.
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export type ColorScheme = 'light' | 'dark';

/** A window's size in CSS pixels: that of the screenshots, too. */
export const WINDOW = { width: 1400, height: 900 } as const;

/** The size of a window that nobody looks at: there is less to draw in it. */
export const SMALL_WINDOW = { width: 900, height: 600 } as const;

/** Starts Chromium without a display. */
export function launchBrowser(chromium: string): Promise<Browser> {
  return playwright.launch({ executablePath: chromium, args: ARGUMENTS });
}

/** A page in a profile of its own: VS Code keeps the user's state in the browser's storage. */
export async function openPage(
  browser: Browser,
  colorScheme: ColorScheme,
  viewport: typeof WINDOW | typeof SMALL_WINDOW = WINDOW,
): Promise<Page> {
  const context = await browser.newContext({
    viewport,
    colorScheme,
    reducedMotion: 'reduce',
    locale: 'en-US',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  return context.newPage();
}
