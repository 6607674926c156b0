import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { EVENTS_OF_CALL, listCallEvents } from '../../bench/support/trace-calls.ts';
import { stateOf, type CallState } from '../../protocol/src/trace/call-state.ts';
import type { TraceEvent } from '../../protocol/src/trace/events.ts';
import { TraceFold } from '../../protocol/src/trace/fold.ts';
import type { ToTimeline } from '../../protocol/src/wire/timeline-messages.ts';
import { listStates, show, useTimelinePage } from './support/timeline-page.ts';
import { expectSoon } from './support/wait.ts';

const CALLS = 100_000;
const BATCH = 10_000;
const TRACE = { perTrace: 10 * CALLS, piece: 60 };
const TABS = ['Graph', 'Sequence', 'Timeline'] as const;

const SCRIPT = '<img src=x onerror="globalThis.hurt=1"><script>globalThis.hurt=1</script>';
const LINK = 'javascript:globalThis.hurt=1';

function foldAll(events: Iterable<TraceEvent>): TraceFold {
  const fold = new TraceFold('counted');
  for (const event of events) fold.add(event);
  return fold;
}

describe('timeline page with very much, and with what is hostile', () => {
  const timeline = useTimelinePage();
  const { settle, sent } = timeline;
  let page: Page;
  beforeEach(() => {
    page = timeline.page;
  });

  const countDrawn = async (): Promise<number> => (await sent('drawn')).length;

  /** Sends messages, each when the one before it was taken in, as the extension does. */
  async function tell(...messages: readonly ToTimeline[]): Promise<void> {
    for (const message of messages) {
      const before = await countDrawn();
      await page.evaluate(text => window.postMessage(JSON.parse(text), '*'), JSON.stringify(message));
      await page.waitForFunction(
        count =>
          (globalThis as unknown as { sent: { type: string }[] }).sent.filter(({ type }) => type === 'drawn')
            .length > count,
        before,
      );
    }
    await settle();
  }

  async function open(states: readonly CallState[], selected = states[0]?.id ?? ''): Promise<void> {
    const messages: ToTimeline[] = [show(states.slice(0, BATCH), selected, { size: states.length })];
    for (let at = BATCH; at < states.length; at += BATCH)
      messages.push({
        type: 'calls',
        shown: 1,
        size: states.length,
        calls: states.slice(at, at + BATCH),
        gone: [],
      });
    await tell(...messages);
  }

  async function bringToFront(tab: (typeof TABS)[number]): Promise<void> {
    await page.getByRole('tab', { name: tab }).click();
    await settle();
  }

  /** The rows that stand in the page, and how many the tree has. */
  const countRows = async (): Promise<readonly [drawn: number, all: number]> => [
    await page.locator('.waterfall .row').count(),
    Number(await page.locator('.rows').getAttribute('aria-rowcount')),
  ];

  it('draws of 100,000 calls the rows that are seen, and loses none of 10,000 events a second', async function () {
    this.timeout(120_000);
    const fold = foldAll(listCallEvents(CALLS, TRACE));
    await open(listStates(fold));
    const height = await page.locator('.waterfall .scroller').evaluate(node => node.clientHeight);
    const drawn = Math.ceil(height / 22) + 1;
    // Rows are listed now and then, however fast calls come.
    await expectSoon(countRows, [drawn, CALLS]);
    await page.locator('.rows').focus();
    await page.keyboard.press('End');
    await settle();
    assert.deepEqual(await countRows(), [drawn, CALLS]);
    const selected = page.locator('.row[aria-selected=true]');
    assert.equal(await selected.getAttribute('aria-rowindex'), String(CALLS));
    // A second of events, told every 30 ms what changed.
    fold.takeChanges();
    const events = [...listCallEvents(10_000 / EVENTS_OF_CALL, { ...TRACE, first: CALLS })];
    let size = CALLS;
    for (let at = 0; at < events.length; at += 300) {
      for (const event of events.slice(at, at + 300)) {
        if (event.type === 'call') size++;
        fold.add(event);
      }
      await tell({ type: 'calls', shown: 1, size, calls: [...fold.takeChanges()].map(stateOf), gone: [] });
    }
    assert.equal(size, CALLS + 1_250);
    await expectSoon(countRows, [drawn, size]);
    assert.match(await page.locator('h1').innerText(), /^[^\n]+\n101,250 calls · /);
    for (const tab of TABS) await bringToFront(tab);
    assert.deepEqual(await countRows(), [drawn, CALLS + 1_250]);
  });

  it('shows a chain of 100,000 calls, and 100,000 agents, in all views', async function () {
    this.timeout(120_000);
    const chain = Array.from({ length: CALLS }, (_, at): CallState => ({
      id: `c${at}`,
      ...(at === 0 ? {} : { parent: `c${at - 1}`, depth: at }),
      agent: `agent ${at}`,
      protocol: 'other',
      title: `call ${at}`,
      status: 'ok',
      at,
      until: 2 * CALLS - at,
    }));
    await open(chain, `c${CALLS - 1}`);
    await expectSoon(async () => (await countRows())[1], CALLS);
    assert.equal(await page.locator('.row[aria-selected=true] .title').innerText(), `call ${CALLS - 1}`);
    await bringToFront('Graph');
    // What is made of so many is made in slices.
    await expectSoon(() => page.locator('.graph-box').count(), 200);
    await page.locator('.graph-box').last().click();
    await bringToFront('Sequence');
    await expectSoon(() => page.locator('.step[aria-selected=true]').count(), 1);
    await bringToFront('Timeline');
    assert.equal((await countRows())[1], CALLS);
  });

  it('shows script in every field as text, in every view', async () => {
    const texts = [SCRIPT, LINK, '__proto__', 'constructor'];
    const states = texts.map((text, at): CallState => ({
      id: text,
      ...(at === 0 ? {} : { parent: texts[at - 1] ?? '' }),
      agent: text,
      from: text,
      protocol: 'other',
      title: text,
      status: 'error',
      code: text,
      message: text,
      notes: [text],
      cycle: [text, text],
      at: at === 2 ? -1e300 : at,
      until: at === 2 ? 1e300 : 10,
      source: { uri: text, line: 1 },
    }));
    await tell(show(states, SCRIPT, { notes: [SCRIPT] }));
    await tell({
      type: 'calls',
      shown: 1,
      size: states.length,
      calls: states.slice(0, 1),
      gone: [],
    });
    const common = { call: SCRIPT, at: 1 } as const;
    const payload: ToTimeline = {
      type: 'payload',
      call: SCRIPT,
      names: [{ scheme: 'w3c', trace: SCRIPT, id: LINK, parent: SCRIPT }],
      session: SCRIPT,
      attributes: [{ name: SCRIPT, json: JSON.stringify(SCRIPT) }],
      from: 0,
      events: [
        { type: 'head', ...common, direction: 'out', line: SCRIPT, headers: [{ name: SCRIPT, value: LINK }] },
        { type: 'wire', ...common, direction: 'out', bytes: { text: SCRIPT } },
        { type: 'wire', ...common, direction: 'in', bytes: { text: `data: ${SCRIPT}\n\n` } },
      ],
      leftOut: 0,
    };
    await page.evaluate(text => window.postMessage(JSON.parse(text), '*'), JSON.stringify(payload));
    await page.locator('.details pre').first().waitFor();
    for (const tab of TABS) {
      await bringToFront(tab);
      assert.deepEqual(
        await page.evaluate(() => [
          'hurt' in globalThis,
          document.querySelectorAll('main img, main script, main a[href^="javascript"]').length,
        ]),
        [false, 0],
        tab,
      );
    }
    assert.deepEqual((await page.locator('.row .title').allInnerTexts()).toSorted(), texts.toSorted());
    assert.equal(await page.locator('.details pre').first().innerText(), SCRIPT);
  });
});
