import type { Browser, Frame, Page } from 'playwright-core';

/** Lines and characters of a frame's text in a description. */
const MAX_LINES = 40;
const MAX_LINE = 120;

/** The visible text of every window of a browser and of the pages in it: what a person would see where a test failed. */
export async function describeWindows(browser: Browser): Promise<string> {
  const pages = browser.contexts().flatMap(context => context.pages());
  return (await Promise.all(pages.map(describePage))).join('\n');
}

async function describePage(page: Page, index: number): Promise<string> {
  // VS Code shows a page in the innermost of several frames.
  const shown = page.frames().filter(frame => frame === page.mainFrame() || frame.childFrames().length === 0);
  const frames = await Promise.all(shown.map(describeFrame));
  return [`Window ${index + 1} shows:`, ...frames.flat()].join('\n');
}

async function describeFrame(frame: Frame): Promise<readonly string[]> {
  const text = await frame
    .locator('body:not(:has(> script:only-child))')
    .innerText({ timeout: 2_000 })
    .catch(() => '');
  const lines = text.split('\n').filter(line => line.trim() !== '');
  if (lines.length === 0) return [];
  const more = lines.length > MAX_LINES ? [`… ${lines.length - MAX_LINES} more lines`] : [];
  const shown = lines.slice(0, MAX_LINES).map(line => line.slice(0, MAX_LINE));
  return [
    `  frame ${frame.name() || frame.url().slice(0, 60)}`,
    ...[...shown, ...more].map(line => `    ${line}`),
  ];
}
