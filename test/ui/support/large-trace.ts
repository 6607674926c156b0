import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { EVENTS_OF_CALL, listCallEvents } from '../../../bench/support/trace-calls.ts';
import { stateOf, type CallState } from '../../../trace/fold/call-state.ts';
import type { TraceEvent } from '../../../core/events/events.ts';
import { TraceFold } from '../../../trace/fold/fold.ts';
import type { ToTimeline } from '../../../wire/timeline-messages.ts';
import { listStates, show, useTimelinePage } from './timeline-page.ts';
import { expectSoon } from './wait.ts';

/** How large a trace is, and how it comes. */
export interface TraceSize {
  readonly calls: number;
  /** Calls of one message while the trace is opened. */
  readonly batch: number;
  /** Events that come when all is there, and how many of them one message reports. */
  readonly events: number;
  readonly step: number;
}

const TABS = ['Graph', 'Sequence', 'Timeline'] as const;

const print = (count: number): string => count.toLocaleString('en-US');

function foldAll(events: Iterable<TraceEvent>): TraceFold {
  const fold = new TraceFold('counted');
  for (const event of events) fold.add(event);
  return fold;
}

/** Declares the tests of the timeline page with a trace of a size. */
export function testLargeTrace(size: TraceSize): void {
  const { calls: total, batch } = size;
  const trace = { perTrace: 10 * total, piece: 60 };

  describe(`timeline page with ${print(total)} calls`, () => {
    const timeline = useTimelinePage();
    const { settle, sent } = timeline;
    let page: Page;
    beforeEach(() => {
      page = timeline.page;
    });

    const countDrawn = async (): Promise<number> => (await sent('drawn')).length;

    /** Sends messages, each when the one before it was taken in, as the extension does. */
    async function report(...messages: readonly ToTimeline[]): Promise<void> {
      for (const message of messages) {
        const before = await countDrawn();
        await page.evaluate(text => window.postMessage(JSON.parse(text), '*'), JSON.stringify(message));
        await page.waitForFunction(
          count =>
            (globalThis as unknown as { sent: { type: string }[] }).sent.filter(
              ({ type }) => type === 'drawn',
            ).length > count,
          before,
        );
      }
      await settle();
    }

    async function open(states: readonly CallState[], selected = states[0]?.id ?? ''): Promise<void> {
      const messages: ToTimeline[] = [show(states.slice(0, batch), selected, { size: states.length })];
      for (let at = batch; at < states.length; at += batch)
        messages.push({
          type: 'calls',
          shown: 1,
          size: states.length,
          calls: states.slice(at, at + batch),
          gone: [],
        });
      await report(...messages);
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

    it(`draws the rows that are seen, and loses none of ${print(size.events)} events that come`, async function () {
      const fold = foldAll(listCallEvents(total, trace));
      await open(listStates(fold));
      const height = await page.locator('.waterfall .scroller').evaluate(node => node.clientHeight);
      const drawn = Math.ceil(height / 22) + 1;
      // Rows are listed now and then, however fast calls come.
      await expectSoon(countRows, [drawn, total]);
      await page.locator('.rows').focus();
      await page.keyboard.press('End');
      await settle();
      assert.deepEqual(await countRows(), [drawn, total]);
      const selected = page.locator('.row[aria-selected=true]');
      assert.equal(await selected.getAttribute('aria-rowindex'), String(total));
      // Messages report what changed since the last one.
      fold.takeChanges();
      const added = size.events / EVENTS_OF_CALL;
      const events = [...listCallEvents(added, { ...trace, first: total })];
      let count = total;
      for (let at = 0; at < events.length; at += size.step) {
        for (const event of events.slice(at, at + size.step)) {
          if (event.type === 'call') count++;
          fold.add(event);
        }
        const calls = [...fold.takeChanges()].map(stateOf);
        await report({ type: 'calls', shown: 1, size: count, calls, gone: [] });
      }
      assert.equal(count, total + added);
      await expectSoon(countRows, [drawn, count]);
      assert.ok((await page.locator('h1').innerText()).includes(`\n${print(count)} calls · `));
      for (const tab of TABS) await bringToFront(tab);
      assert.deepEqual(await countRows(), [drawn, count]);
    });

    it(`shows a chain of ${print(total)} calls, and as many agents, in all views`, async function () {
      const chain = Array.from({ length: total }, (_, at): CallState => ({
        id: `c${at}`,
        ...(at === 0 ? {} : { parent: `c${at - 1}`, depth: at }),
        agent: `agent ${at}`,
        protocol: 'other',
        title: `call ${at}`,
        status: 'ok',
        at,
        until: 2 * total - at,
      }));
      await open(chain, `c${total - 1}`);
      await expectSoon(async () => (await countRows())[1], total);
      assert.equal(await page.locator('.row[aria-selected=true] .title').innerText(), `call ${total - 1}`);
      await bringToFront('Graph');
      // What is made of so many is made in slices.
      await expectSoon(() => page.locator('.graph-box').count(), 200);
      await page.locator('.graph-box').last().click();
      await bringToFront('Sequence');
      await expectSoon(() => page.locator('.step[aria-selected=true]').count(), 1);
      await bringToFront('Timeline');
      assert.equal((await countRows())[1], total);
    });
  });
}
