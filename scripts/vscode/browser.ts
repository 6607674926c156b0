import { chromium as playwright, type Browser, type Page } from 'playwright-core';

const ARGUMENTS = [
  // Chromium's sandbox does not start for root, which runs tests in containers; only our own loopback page is opened.
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export type ColorScheme = 'light' | 'dark';

/** The size of windows and screenshots in CSS pixels. */
export const WINDOW = { width: 1400, height: 900 } as const;

/** A smaller size for windows without screenshots, which is faster to render. */
export const SMALL_WINDOW = { width: 900, height: 600 } as const;

/** Starts headless Chromium. */
export function launchBrowser(chromium: string): Promise<Browser> {
  return playwright.launch({ executablePath: chromium, args: ARGUMENTS });
}

/** Opens a page in a new profile, because VS Code stores user state in the browser's storage. */
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
