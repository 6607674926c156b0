import type { FrameLocator, Page } from 'playwright-core';
import { stateOf, type CallState } from '../../../trace/fold/call-state.ts';
import type { TraceEvent } from '../../../core/events/events.ts';
import { walkCalls } from '../../../trace/export/source.ts';
import { TraceFold } from '../../../trace/fold/fold.ts';
import type { ShowTrace, ToTimeline } from '../../../wire/timeline-messages.ts';
import { useLonePage } from './lone-page.ts';

/** The page of the timeline alone, with the extension's end of its messages in the test's hand. */
export interface TimelinePage {
  /** Loaded anew for each test. */
  readonly page: Page;
  /** Waits for the frames in which what changed is drawn, and until nothing in front is being worked out. */
  readonly settle: () => Promise<void>;
  /** Sends messages as the extension does, and waits until they are drawn. */
  readonly tell: (...messages: readonly ToTimeline[]) => Promise<void>;
  readonly press: (...keys: readonly string[]) => Promise<void>;
  /** What the page sent of one type, in order. */
  readonly sent: (type: string) => Promise<readonly unknown[]>;
}

/** Opens the page anew before each test of the suite that calls this. */
export function useTimelinePage(): TimelinePage {
  const lone = useLonePage('timeline');
  const settle = (): Promise<void> =>
    lone.page.evaluate(async () => {
      const nextFrame = (): Promise<unknown> => new Promise(requestAnimationFrame);
      do for (let frame = 0; frame < 4; frame++) await nextFrame();
      while (document.querySelector('.panel:not([hidden]) [aria-busy="true"]'));
    });
  return {
    get page() {
      return lone.page;
    },
    settle,
    tell: async (...messages) => {
      await lone.page.evaluate(all => all.forEach(message => window.postMessage(message, '*')), messages);
      await settle();
    },
    press: async (...keys) => {
      for (const key of keys) await lone.page.keyboard.press(key);
      await settle();
    },
    sent: type =>
      lone.page.evaluate(
        wanted =>
          (globalThis as unknown as { sent: { type: string }[] }).sent.filter(each => each.type === wanted),
        type,
      ),
  };
}

/** The calls of a fold as the extension tells them, each after the one above it. */
export function listStates(fold: TraceFold): readonly CallState[] {
  return Array.from(walkCalls(fold.trees()), stateOf);
}

/** The calls of events as the extension tells them. */
export function statesOf(events: readonly TraceEvent[]): readonly CallState[] {
  const fold = new TraceFold();
  for (const event of events) fold.add(event);
  return listStates(fold);
}

/** What shows calls as those of one trace. */
export function show(
  calls: readonly CallState[],
  selected: string,
  more: Partial<ShowTrace> = {},
): ShowTrace {
  return {
    type: 'show',
    shown: 1,
    trace: 't',
    size: calls.length,
    calls,
    selected,
    notes: [],
    depthLimit: 5,
    ...more,
  };
}

/**
 * The rows of the waterfall that are drawn, from top to bottom: level, the texts of what is asked for (`.title`), what is
 * folded, and a star where it is selected.
 */
export function listRows(
  page: Page | FrameLocator,
  parts: readonly string[] = ['.title'],
): Promise<readonly string[]> {
  return page.locator('.row').evaluateAll(
    (rows, wanted) =>
      rows
        .sort((a, b) => Number(a.getAttribute('aria-rowindex')) - Number(b.getAttribute('aria-rowindex')))
        .map(row => {
          const said = wanted.map(part => row.querySelector(part)?.textContent ?? '').join(' · ');
          const fold = { true: ' open', false: ' folded' }[row.getAttribute('aria-expanded') ?? ''] ?? '';
          const mark = row.getAttribute('aria-selected') === 'true' ? ' *' : '';
          return `${row.getAttribute('aria-level')} ${said}${fold}${mark}`;
        }),
    parts,
  );
}
