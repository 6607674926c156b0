import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import type { CallState } from '../../trace/fold/call-state.ts';
import { show, useTimelinePage } from './support/timeline-page.ts';
import { expectSoon } from './support/wait.ts';

/** A call that took so long. */
function lasting(
  id: string,
  agent: string,
  at: number,
  until: number,
  more: Partial<CallState> = {},
): CallState {
  return { id, agent, protocol: 'mcp', title: `ask ${agent}`, status: 'ok', at, until, ...more };
}

/** A asks B, B asks C, and C asks A again; then A asks D, which fails. */
const LOOP: readonly CallState[] = [
  lasting('1', 'A', 0, 100),
  lasting('2', 'B', 10, 60, { parent: '1', depth: 1 }),
  lasting('3', 'C', 20, 50, { parent: '2', depth: 2 }),
  lasting('4', 'A', 30, 40, { parent: '3', depth: 3, cycle: ['A', 'B', 'C', 'A'] }),
  lasting('5', 'D', 70, 90, { parent: '1', depth: 1, status: 'error', code: '-32603' }),
  lasting('6', 'D', 71, 89, { parent: '5', depth: 1, isView: true }),
];

const SHOW = show(LOOP, '1');

describe('graph and sequence of the timeline page', () => {
  const timeline = useTimelinePage();
  const { settle, tell: report } = timeline;
  let page: Page;
  beforeEach(() => {
    page = timeline.page;
  });

  async function bringToFront(tab: 'Timeline' | 'Graph' | 'Sequence'): Promise<void> {
    await page.getByRole('tab', { name: tab }).click();
    await settle();
  }

  /** The calls that the page reported as selected, in order. */
  const listSelected = (): Promise<unknown> =>
    page.evaluate(() =>
      (Reflect.get(globalThis, 'sent') as { type: string; call: string }[])
        .filter(({ type }) => type === 'selected')
        .map(({ call }) => call),
    );

  /** The rows of the totals, each with the texts of its cells. */
  const listTotals = (): Promise<readonly (readonly string[])[]> =>
    page
      .locator('.totals [role=row]:not(.totals-head)')
      .evaluateAll(rows =>
        [...rows]
          .sort((one, other) => Number(one.ariaRowIndex) - Number(other.ariaRowIndex))
          .map(row => [
            row.querySelector('.name')?.textContent ?? '',
            ...[...row.querySelectorAll('.cells > *')].map(cell => cell.textContent),
          ]),
      );

  const selectedRow = (): Promise<string> =>
    page.locator('.totals [aria-selected=true] .first').evaluate(first => (first as HTMLElement).innerText);

  const listSteps = (): Promise<readonly (string | null)[]> =>
    page
      .getByRole('option')
      .evaluateAll(rows =>
        [...rows]
          .sort((one, other) => Number(one.ariaPosInSet) - Number(other.ariaPosInSet))
          .map(row => row.querySelector('.visually-hidden')?.textContent ?? null),
      );

  it('says in words and numbers what the picture shows: who calls whom, own time and waiting, failures, the cycle', async () => {
    await report(SHOW);
    await bringToFront('Graph');
    assert.deepEqual(await page.getByRole('columnheader').allTextContents(), [
      'Agent',
      'Calls',
      'Failed',
      'Time',
      'Own',
      'Waiting',
      'At the agent',
      'Bytes out',
      'Bytes in',
    ]);
    assert.deepEqual(await listTotals(), [
      ['A', '2', '', '110 ms', '40 ms', '70 ms', '', '0', '0'],
      ['called by client', '1', '', '100 ms', '', '', '', '', ''],
      ['called by C', '1', '', '10 ms', '', '', '', '', ''],
      ['B', '1', '', '50 ms', '20 ms', '30 ms', '', '0', '0'],
      ['called by A', '1', '', '50 ms', '', '', '', '', ''],
      ['C', '1', '', '30 ms', '20 ms', '10 ms', '', '0', '0'],
      ['called by B', '1', '', '30 ms', '', '', '', '', ''],
      ['D', '1', '1', '20 ms', '20 ms', '0 ms', '18 ms of 20 ms', '0', '0'],
      ['called by A', '1', '1', '20 ms', '', '', '', '', ''],
      ['All calls', '5', '1', '210 ms', '100 ms', '110 ms', '18 ms of 20 ms', '0', '0'],
    ]);
    assert.equal(
      await page.locator('.graph-facts').textContent(),
      '4 agents · 5 calls · deepest call at depth 3 of 5',
    );
    assert.deepEqual(await page.getByRole('list', { name: 'Cycles' }).getByRole('button').allTextContents(), [
      'A → B → C → A',
    ]);
    const boxes = await page
      .locator('.graph-box')
      .evaluateAll(found => found.map(box => box.getAttribute('title')));
    assert.deepEqual(boxes, [
      'client: began the trace',
      'A: 2 calls, depth 3 of 5',
      'B: 1 call',
      'C: 1 call',
      'D: 1 call, 1 failed',
    ]);
    const lines = await page.locator('.graph-line title').allTextContents();
    assert.deepEqual(lines, [
      'client → A: 1 call, 100 ms',
      'A → B: 1 call, 50 ms; part of a cycle',
      'B → C: 1 call, 30 ms; part of a cycle',
      'C → A: 1 call, 10 ms; part of a cycle',
      'A → D: 1 call, 20 ms, 1 failed',
    ]);
  });

  it('counts the tokens that agents did not report when the user asks for it, beside those that they did', async () => {
    const [first, ...rest] = LOOP;
    assert.ok(first);
    const calls = [{ ...first, usage: { input: 1200, output: 34 } }, ...rest];
    await report({ ...SHOW, calls });
    await bringToFront('Graph');
    const line = page.locator('.totals-count');
    assert.equal(await line.innerText(), 'Agents did not report all tokens of 4 calls.\nCount tokens');
    const questions = (): Promise<unknown> =>
      page.evaluate(() =>
        (Reflect.get(globalThis, 'sent') as { type: string }[]).filter(({ type }) => type === 'countTokens'),
      );
    assert.deepEqual(await questions(), []);
    await page.getByRole('button', { name: 'Count tokens' }).click();
    assert.deepEqual(await questions(), [{ type: 'countTokens', count: 1, calls: ['2', '3', '4', '5'] }]);
    const reported = { type: 'tokens', count: 1, encoding: 'o200k_base' } as const;
    await report({ ...reported, calls: [{ call: '2', tokens: { input: 1500, output: 7 } }], share: 0.25 });
    assert.equal(await line.innerText(), 'Counting tokens… 25 %\nStop');
    await report({
      ...reported,
      calls: [
        { call: '3', tokens: { input: 20 }, uncounted: 'noText' },
        { call: '4', tokens: { input: 10 } },
        { call: '5', tokens: {}, uncounted: 'notKept' },
      ],
      share: 1,
    });
    // The longer the last drawing took, the later the next one.
    await expectSoon(
      async () => (await page.getByRole('columnheader').allTextContents()).slice(7),
      ['Tokens in', 'Tokens out', 'Counted in', 'Counted out', 'Bytes out', 'Bytes in'],
    );
    await expectSoon(
      async () => (await listTotals()).map(row => [row[0], ...row.slice(7, 11)]),
      [
        ['A', '1,200', '34', '≈ 10', ''],
        ['called by client', '', '', '', ''],
        ['called by C', '', '', '', ''],
        ['B', '', '', '≈ 1,500', '≈ 7'],
        ['called by A', '', '', '', ''],
        ['C', '', '', '≈ 20', ''],
        ['called by B', '', '', '', ''],
        ['D', '', '', '', ''],
        ['called by A', '', '', '', ''],
        ['All calls', '1,200', '34', '≈ 1,530', '≈ 7'],
      ],
    );
    assert.equal(
      await page.getByRole('gridcell', { name: '≈ 20' }).getAttribute('title'),
      'Tokens of requests whose agents reported none, counted by o200k_base from the payloads, including the framing of its protocol',
    );
    assert.equal(
      await line.innerText(),
      'Counted by o200k_base: ≈ 1,530 tokens in, ≈ 7 tokens out. Not counted in full: 1 call, because messages are not text; 1 call, because messages are not recorded.',
    );
  });

  it('selects one call in all views, by key and by pointer', async () => {
    await report(SHOW);
    await bringToFront('Graph');
    await page.getByRole('treegrid', { name: 'Totals by agent and caller' }).focus();
    const walked: string[] = [];
    for (const key of ['End', 'ArrowUp', 'Home', 'ArrowRight', 'ArrowDown', 'ArrowDown']) {
      await page.keyboard.press(key);
      await settle();
      walked.push(await selectedRow());
    }
    assert.deepEqual(walked, [
      'called by A',
      'D',
      'A\n1 of 2 calls',
      'A\n2 of 2 calls',
      'called by client',
      'called by C\ncycle',
    ]);
    assert.deepEqual(await listSelected(), ['5', '1', '4', '1', '4']);
    await bringToFront('Sequence');
    assert.equal(
      await page.locator('.step[aria-selected=true]').getAttribute('title'),
      'after 30 ms, C calls A: ask A, A → B → C → A, depth 3 of 5',
    );
    await page.getByRole('option', { name: 'A replies to C:' }).click();
    await page.keyboard.press('ArrowDown');
    await settle();
    assert.equal(
      await page.locator('.step[aria-selected=true]').getAttribute('title'),
      'after 50 ms, C replies to B: ok · 30 ms',
    );
    await bringToFront('Graph');
    await page.locator('.graph-box', { hasText: 'D' }).click();
    await settle();
    assert.deepEqual(
      [await selectedRow(), ((await listSelected()) as string[]).slice(-2)],
      ['called by A', ['3', '5']],
    );
    await page.getByRole('list', { name: 'Cycles' }).getByRole('button').click();
    await bringToFront('Timeline');
    assert.equal(await page.locator('.row[aria-selected=true] .title').textContent(), 'ask A');
    assert.equal(await page.locator('.row[aria-selected=true]').getAttribute('aria-level'), '4');
  });

  it('has calls and replies in the order of time, once each, however many sides they were seen from', async () => {
    await report(SHOW);
    await bringToFront('Sequence');
    assert.deepEqual(await listSteps(), [
      'after 0 ms, client calls A: ask A',
      'after 10 ms, A calls B: ask B',
      'after 20 ms, B calls C: ask C',
      'after 30 ms, C calls A: ask A, A → B → C → A, depth 3 of 5',
      'after 40 ms, A replies to C: ok · 10 ms',
      'after 50 ms, C replies to B: ok · 30 ms',
      'after 60 ms, B replies to A: ok · 50 ms',
      'after 70 ms, A calls D: ask D',
      'after 90 ms, D replies to A: error -32603 · 20 ms',
      'after 100 ms, A replies to client: ok · 100 ms',
    ]);
    assert.deepEqual(await page.locator('.lane').allTextContents(), ['client', 'A', 'B', 'C', 'D']);
  });

  it('shows the labels of arrows whole where a row has room for them, in any of its lanes', async () => {
    const names = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'];
    const chain = names.map((agent, at) =>
      lasting(`${at}`, agent, at, 100 - at, {
        title: `find the forecast for ${agent}`,
        ...(at > 0 ? { parent: `${at - 1}`, depth: 0 } : {}),
        status: 'error',
        code: '-32603',
      }),
    );
    await report(show(chain, '0'));
    await bringToFront('Sequence');
    const labels = await page
      .locator('.step .title')
      .evaluateAll(titles =>
        titles.map(title => ({ text: title.textContent, isCut: title.scrollWidth > title.clientWidth })),
      );
    assert.equal(labels.length, 16);
    assert.deepEqual(
      labels.filter(({ isCut }) => isCut),
      [],
    );
  });

  it('leaves agents and steps where they are while calls come in', async () => {
    const many = Array.from({ length: 200 }, (_, at) =>
      lasting(`m${at}`, 'B', 200 + at * 10, 205 + at * 10, { parent: '1', depth: 1 }),
    );
    await report({ ...SHOW, calls: [...LOOP, ...many], size: LOOP.length + many.length });
    const places = (): Promise<readonly string[]> =>
      page.locator('.graph-box').evaluateAll(boxes => boxes.map(box => (box as HTMLElement).style.transform));
    await bringToFront('Graph');
    const before = await places();
    await bringToFront('Sequence');
    const top = (): Promise<string | null> =>
      page.locator('.step').evaluateAll(steps => {
        const [seen] = steps
          .filter(step => step.getBoundingClientRect().top >= 66)
          .sort((one, other) => one.getBoundingClientRect().top - other.getBoundingClientRect().top);
        return seen?.getAttribute('title') ?? null;
      });
    await page.locator('.sequence > .scroller').evaluate(node => node.scrollTo(0, 32 * 300));
    await settle();
    const seen = await top();
    assert.match(seen ?? '', /^after 1\.\d\d s, /);
    const late = [
      lasting('e', 'E', 5000, 5010, { parent: '1', depth: 1 }),
      // A late call is placed by its time, above the visible rows.
      lasting('early', 'B', 110, 120, { parent: '1', depth: 1 }),
    ];
    await report({ type: 'calls', shown: 1, size: LOOP.length + many.length + 2, calls: late, gone: [] });
    await page.getByText('E', { exact: true }).first().waitFor();
    assert.equal(await top(), seen);
    await bringToFront('Graph');
    await expectSoon(async () => (await places()).length, 6);
    assert.deepEqual((await places()).slice(0, 5), before);
  });

  it('marks what the search found, and shows text from agents as text', async () => {
    const hostile = '<img src=x onerror=alert(1)>';
    const call = lasting('7', hostile, 95, 96, { parent: '1', depth: 1, title: hostile });
    await report({ ...SHOW, calls: [...LOOP, call], size: LOOP.length + 1 });
    await bringToFront('Graph');
    assert.equal(await page.locator('img').count(), 0);
    assert.deepEqual((await listTotals()).at(-3)?.[0], hostile);
    await bringToFront('Sequence');
    await page.locator('.search-input').fill('ask C');
    await page.locator('.step.found').first().waitFor();
    assert.deepEqual(
      await page.locator('.step.found').evaluateAll(steps => steps.map(step => step.getAttribute('title'))),
      ['after 20 ms, B calls C: ask C', 'after 50 ms, C replies to B: ok · 30 ms'],
    );
    await bringToFront('Graph');
    assert.deepEqual(await page.locator('.graph-box.found .box-name').allTextContents(), ['C']);
    await page.locator('.search-input').fill('');
    await page.locator('.graph-box.found').waitFor({ state: 'detached' });
    assert.equal(await page.locator('img').count(), 0);
  });
});
