import type { Locator } from 'playwright-core';
import type { Scroll } from './frames.ts';

/** What a page wrote in one frame. */
export interface FrameWork {
  /** Elements and texts that were put in or taken out. */
  readonly nodes: number;
  /** Texts that were given other words. */
  readonly texts: number;
  /** Attributes that were set, by their names. */
  readonly attributes: Readonly<Record<string, number>>;
}

/** The work of a scroll, counted: it is the same on every machine. */
export interface ScrollWork {
  readonly frames: readonly FrameWork[];
  /** How often the window laid itself out meanwhile: once a frame, where no script asks for sizes that it changed. */
  readonly layouts: number;
}

/** Scrolls an element, each frame by as much, and counts what is written below it. */
export async function countScrollWork(scroller: Locator, scroll: Scroll): Promise<ScrollWork> {
  const page = scroller.page();
  const session = await page.context().newCDPSession(page);
  const countLayouts = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'LayoutCount')?.value ?? NaN;
  };
  try {
    await session.send('Performance.enable');
    const before = await countLayouts();
    const frames = await runCounted(scroller, scroll);
    return { frames, layouts: (await countLayouts()) - before };
  } finally {
    await session.detach();
  }
}

function runCounted(scroller: Locator, scroll: Scroll): Promise<readonly FrameWork[]> {
  return scroller.evaluate(async (target, { frames, across, down }) => {
    let records: MutationRecord[] = [];
    const observer = new MutationObserver(list => records.push(...list));
    observer.observe(target, { subtree: true, childList: true, attributes: true, characterData: true });
    const done: FrameWork[] = [];
    for (let frame = 0; frame < frames; frame++) {
      target.scrollBy(across, down);
      // The page is notified of a scroll at the start of the next frame, before this is.
      await new Promise(resolve => requestAnimationFrame(resolve));
      records.push(...observer.takeRecords());
      const attributes: Record<string, number> = {};
      for (const { attributeName: name } of records)
        if (name !== null) attributes[name] = (attributes[name] ?? 0) + 1;
      done.push({
        nodes: records.reduce(
          (sum, { addedNodes, removedNodes }) => sum + addedNodes.length + removedNodes.length,
          0,
        ),
        texts: records.filter(({ type }) => type === 'characterData').length,
        attributes,
      });
      records = [];
    }
    observer.disconnect();
    return done;
  }, scroll);
}
