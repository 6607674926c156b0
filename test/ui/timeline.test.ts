import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'mocha';
import type { Browser, Page } from 'playwright-core';
import type { ToTimeline } from '../../protocol/src/wire/timeline-messages.ts';
import { launchBrowser } from '../../scripts/vscode/browser.ts';
import { ensureChromium } from '../../scripts/vscode/system.ts';
import { openLonePage } from './support/lone-page.ts';
import { call } from '../support/trace-call.ts';

/** The page of the timeline alone, with the extension's end of its messages in the test's hand. */
describe('timeline page', () => {
  let browser: Browser;
  let page: Page;

  before(async () => {
    browser = await launchBrowser(await ensureChromium(line => console.log(line)));
  });
  after(() => browser.close());

  beforeEach(async () => {
    page = await openLonePage(browser, 'timeline');
  });

  /** Sends messages and waits until they are drawn. */
  async function tell(...messages: readonly ToTimeline[]): Promise<void> {
    await page.evaluate(async all => {
      for (const message of all) window.postMessage(message, '*');
      // The page draws in the frame after the messages.
      for (let frame = 0; frame < 3; frame++) await new Promise(resolve => requestAnimationFrame(resolve));
    }, messages);
  }

  const listRows = (): Promise<readonly string[]> =>
    page
      .getByRole('treeitem')
      .evaluateAll(rows =>
        rows.map(row => `${row.getAttribute('aria-level')} ${row.querySelector('.title')?.textContent}`),
      );

  const selected = (): Promise<string | null> =>
    page.locator('[aria-selected=true] .title').evaluate(node => node.textContent);

  it('walks the calls as they stand, whatever the order in which they came', async () => {
    const events = [call('plan', 0), call('book', 4, 'plan'), call('seat', 5, 'book')];
    await tell({ type: 'show', trace: 't', events, selected: 'plan' });
    await tell({ type: 'add', trace: 't', events: [call('weather', 2, 'plan')] });
    assert.deepEqual(await listRows(), ['1 plan', '2 weather', '2 book', '3 seat']);
    await page.locator('[aria-selected=true]').focus();
    const walked: (string | null)[] = [];
    for (const key of [
      'ArrowDown',
      'ArrowDown',
      'ArrowDown',
      'ArrowDown',
      'ArrowLeft',
      'Home',
      'End',
      'ArrowUp',
    ]) {
      await page.keyboard.press(key);
      walked.push(await selected());
    }
    assert.deepEqual(walked, ['weather', 'book', 'seat', 'seat', 'book', 'plan', 'seat', 'book']);
  });

  it('moves a call below its parent where that comes later', async () => {
    const show = {
      type: 'show',
      trace: 't',
      events: [call('child', 1, 'parent')],
      selected: 'child',
    } as const;
    await tell(show);
    const indent = (): Promise<string> =>
      page.locator('[aria-selected=true] .name').evaluate(node => getComputedStyle(node).paddingInlineStart);
    assert.deepEqual([await listRows(), await indent()], [['1 child'], '0px']);
    await tell({ type: 'add', trace: 't', events: [call('parent', 0)] });
    assert.deepEqual([await listRows(), await indent()], [['1 parent', '2 child'], '16px']);
  });

  it('stays where the user scrolled to while events come in', async () => {
    const events = Array.from({ length: 200 }, (_, at) => call(`c${at}`, at));
    await tell({ type: 'show', trace: 't', events, selected: 'c0' });
    const scroll = page.locator('.rows').evaluate(start => {
      let node: Element | null = start;
      while (node && node.scrollHeight <= node.clientHeight) node = node.parentElement;
      node?.scrollTo(0, 1000);
      return node?.className ?? 'nothing scrolls';
    });
    const scroller = await scroll;
    const top = (): Promise<number> => page.locator(`.${scroller}`).evaluate(node => node.scrollTop);
    assert.equal(await top(), 1000);
    await tell({ type: 'add', trace: 't', events: [{ type: 'end', call: 'c0', at: 500, status: 'ok' }] });
    assert.equal(await top(), 1000);
  });
});
