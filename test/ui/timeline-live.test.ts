import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { CallState } from '../../trace/fold/call-state.ts';
import type { ReportCalls } from '../../wire/timeline-messages.ts';
import { listRows, show, useTimelinePage } from './support/timeline-page.ts';

/** Calls that are there: more than fit on the screen, so that those that come are not seen. */
const CALLS = 200;
const MESSAGES = 20;

function call(number: number, more: Partial<CallState> = {}): CallState {
  return {
    id: `c${number}`,
    ...(number === 0 ? {} : { parent: 'c0' }),
    agent: 'agent',
    protocol: 'aicf',
    title: `call ${number}`,
    status: 'ok',
    at: number,
    until: number === 0 ? 1e9 : number + 1,
    ...more,
  };
}

function callsOf(number: number): ReportCalls {
  return { type: 'calls', shown: 1, size: number + 1, calls: [call(number)], gone: [] };
}

describe('timeline page while calls come', () => {
  const timeline = useTimelinePage();

  it('writes the texts that changed and nothing else, and lays out once a message', async () => {
    const { page, tell: report, settle } = timeline;
    const calls = Array.from({ length: CALLS }, (_, number) => call(number));
    await report(show(calls, 'c0'));
    await settle();
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    const countLayouts = async (): Promise<number> => {
      const { metrics } = await session.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'LayoutCount')?.value ?? NaN;
    };
    const layouts: number[] = [];
    for (const first of [CALLS, CALLS + MESSAGES]) {
      const before = await countLayouts();
      await page.evaluate(countWritten);
      for (let number = first; number < first + MESSAGES; number++) await report(callsOf(number));
      layouts.push((await countLayouts()) - before);
      assert.deepEqual(await page.evaluate(() => (globalThis as unknown as Written).written), {
        // How many calls there are, in the toolbar.
        'span.muted.number.clip characterData': MESSAGES,
        'div.extent style': MESSAGES,
        'div.rows.port aria-rowcount': MESSAGES,
        // How many calls the selected one led to.
        'dl.facts.number dd characterData': MESSAGES,
      });
    }
    // The browser may lay out once by itself, but hardly in both rounds.
    assert.equal(Math.min(...layouts), MESSAGES, `${layouts.join(' and ')} layouts`);
  });

  it('shows the rows that came behind the others, and stays where it is scrolled to', async () => {
    const { page, tell: report, settle } = timeline;
    const calls = Array.from({ length: CALLS }, (_, number) => call(number));
    // The selection is scrolled into sight with its view: it is there already.
    await report(show(calls, `c${CALLS - 1}`));
    const scroller = page.locator('.waterfall .scroller');
    const last = async (): Promise<string | undefined> => (await listRows(page)).at(-1);
    for (const number of [CALLS, CALLS + 1]) {
      await report(callsOf(number));
      await scroller.evaluate(node => node.scrollTo(0, node.scrollHeight));
      await settle();
      assert.equal(await last(), `2 call ${number}`);
    }
    const top = await scroller.evaluate(node => node.scrollTop);
    await page.getByRole('tab', { name: 'Graph' }).click();
    await settle();
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await settle();
    assert.deepEqual(
      [await scroller.evaluate(node => node.scrollTop), await last()],
      [top, `2 call ${CALLS + 1}`],
    );
  });
});

interface Written {
  readonly written: Readonly<Record<string, number>>;
}

/** What runs in the page: counts what is written there, by where and what; what is set to what it was is not written. */
function countWritten(): void {
  const written: Record<string, number> = {};
  const nameOf = (element: Element): string => [element.localName, ...element.classList].join('.');
  const observer = new MutationObserver(records => {
    for (const { type, target, attributeName: name, oldValue } of records) {
      const at = target instanceof Element ? target : target.parentElement;
      if (!at || (name !== null && at.getAttribute(name) === oldValue)) continue;
      const within = at.classList.length === 0 && at.parentElement ? `${nameOf(at.parentElement)} ` : '';
      const key = `${within}${nameOf(at)} ${name ?? type}`;
      written[key] = (written[key] ?? 0) + 1;
    }
  });
  observer.observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeOldValue: true,
    characterData: true,
  });
  Object.assign(globalThis, { written });
}
