import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import type { ToCost } from '../../protocol/src/wire/cost-messages.ts';
import { useLonePage } from './support/lone-page.ts';
import { costRow } from '../support/cost-row.ts';

const subject = { file: 'calls.aicf', line: 3 };
const table = (...tokens: readonly number[]): ToCost => ({
  type: 'show',
  subject,
  table: {
    encoding: 'o200k_base',
    messages: 1,
    unread: 0,
    rows: (['aicl', 'mcp', 'json'] as const).map((protocol, at) =>
      costRow({
        protocol,
        layout: at === 0 ? 'source' : 'compact',
        tokens: tokens[at] ?? 0,
        tokenRatio: (tokens[at] ?? 0) / (tokens[0] ?? 1),
      }),
    ),
  },
});
const begun: ToCost = { type: 'begun', subject, encoding: 'o200k_base' };

/** The page that compares costs alone, with the extension's end of its messages in the test's hand. */
describe('cost page', () => {
  const lone = useLonePage('cost');
  let page: Page;
  beforeEach(() => {
    page = lone.page;
  });

  /** Sends messages and waits until they are drawn. */
  async function tell(...messages: readonly ToCost[]): Promise<void> {
    await page.evaluate(async all => {
      for (const message of all) window.postMessage(message, '*');
      for (let frame = 0; frame < 3; frame++) await new Promise(resolve => requestAnimationFrame(resolve));
    }, messages);
  }

  const sent = (): Promise<unknown> => page.evaluate('sent');
  const rows = (): Promise<readonly string[]> => page.locator('tbody th').allInnerTexts();
  const button = (name: string): ReturnType<Page['getByRole']> =>
    page.getByRole('button', { name, exact: true });

  it('offers to stop what takes long, and to begin anew', async () => {
    await tell(begun);
    await page.getByText('Counting…').waitFor();
    await button('Stop').click();
    await tell({ type: 'stopped' });
    await page.getByText('Stopped').waitFor();
    await button('Compare again').click();
    await page.locator('select').selectOption('cl100k_base');
    assert.deepEqual(await sent(), [
      { type: 'ready' },
      { type: 'stop' },
      { type: 'again' },
      { type: 'encoding', encoding: 'cl100k_base' },
    ]);
  });

  it('says why there is nothing new, and keeps what it showed', async () => {
    await tell(begun, table(30, 20, 10));
    await tell(begun, { type: 'problem', subject, problem: 'There is no message in the selection' });
    await page.getByText('There is no message in the selection').waitFor();
    assert.deepEqual(await rows(), ['AICL as written', 'MCP minified', 'JSON minified']);
  });

  it('keeps the order and the focus while numbers change', async () => {
    await tell(table(30, 20, 10));
    await button('Tokens').click();
    assert.deepEqual(await rows(), ['JSON minified', 'MCP minified', 'AICL as written']);
    await button('MCP').focus();
    await tell(table(30, 5, 10));
    assert.deepEqual(await rows(), ['MCP minified', 'JSON minified', 'AICL as written']);
    assert.equal(await button('MCP').evaluate(node => node === document.activeElement), true);
    const shares = await page
      .locator('.tokenRatio .bar')
      .evaluateAll(bars => bars.map(bar => (bar as HTMLElement).style.getPropertyValue('--share')));
    assert.deepEqual(shares, ['0.1667', '0.3333', '1.0000']);
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: 'AICL as written' }).click();
    assert.deepEqual(await sent(), [{ type: 'ready' }, { type: 'open', protocol: 'mcp' }, { type: 'open' }]);
  });

  it('shows all columns in half a window', async () => {
    await page.setViewportSize({ width: 512, height: 600 });
    await page.addStyleTag({ content: '.costs { font: 13px system-ui; }' });
    const rows = (['source', 'compact'] as const).map(layout =>
      costRow({
        protocol: 'json-rpc',
        layout,
        tokens: 12_345,
        tokenRatio: 12.34,
        bytes: 123_456,
        byteRatio: 23.45,
        losses: 12,
      }),
    );
    await tell({
      type: 'show',
      subject,
      table: { encoding: 'o200k_base', messages: 1, unread: 0, rows },
    });
    const [inner, outer] = await page
      .locator('.scroller')
      .evaluate(node => [node.scrollWidth, node.clientWidth]);
    assert.equal(inner, outer);
  });

  it('shows the arrow of a sorted column nearer to its own head than to the one before, in half a window', async () => {
    await page.setViewportSize({ width: 512, height: 600 });
    await page.addStyleTag({ content: '.costs { font: 13px system-ui; }' });
    await tell(table(30, 20, 10));
    await button('Bytes').click();
    const [before = 0, own = 0] = await page.locator('th.number').evaluateAll(heads => {
      const at = heads.findIndex(head => head.ariaSort === 'ascending');
      const boxOf = (head: Element | undefined): DOMRect => {
        const words = document.createRange();
        words.selectNodeContents(head?.querySelector('.head')?.firstChild ?? document.body);
        return words.getBoundingClientRect();
      };
      const arrow = heads[at]?.querySelector('svg')?.getBoundingClientRect() ?? new DOMRect();
      return [arrow.left - boxOf(heads[at - 1]).right, boxOf(heads[at]).left - arrow.right];
    });
    assert.ok(own >= 0 && before > own, `${before} px to the head before, ${own} px to its own`);
  });

  it('scrolls its table, and nothing else, where it is narrow', async () => {
    await page.setViewportSize({ width: 300, height: 600 });
    await tell(table(123_456_789, 20, 10));
    const isWider = (selector: string): Promise<boolean> =>
      page.locator(selector).evaluate(node => node.scrollWidth > node.clientWidth);
    assert.deepEqual(
      [await isWider('.scroller'), await isWider('html'), await isWider('.header')],
      [true, false, false],
    );
    await page.locator('.scroller').evaluate(node => node.scrollBy(1000, 0));
    const left = await page
      .locator('tbody th')
      .first()
      .evaluate(node => node.getBoundingClientRect().left);
    assert.equal(left, 0);
  });
});
