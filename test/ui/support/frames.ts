import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';

/** A scroll, by so many pixels in each of so many frames. */
export interface Scroll {
  readonly frames: number;
  readonly across: number;
  readonly down: number;
}

/** What it costs to scroll, against the same page at rest just before. */
export interface ScrollCost {
  /** The share of frames that were not drawn, above what the page at rest does not draw. */
  readonly lostShare: number;
  /** Milliseconds that the main thread worked in each frame: script, layout and painting, without waiting for others. */
  readonly workMs: readonly number[];
}

/** Scrolls an element, and measures. */
export async function measureScroll(scroller: Locator, scroll: Scroll): Promise<ScrollCost> {
  const resting = await runFrames(scroller, { ...scroll, across: 0, down: 0 });
  const browser = scroller.page().context().browser();
  assert.ok(browser);
  await browser.startTracing(scroller.page(), { categories: ['cc'] });
  const moving = await runFrames(scroller, scroll);
  const trace = await browser.stopTracing();
  const usual = [...gapsOf(resting)].sort((one, other) => one - other)[scroll.frames >> 1] ?? 1;
  return {
    lostShare: lostShare(moving, usual) - lostShare(resting, usual),
    workMs: readFrameWork(trace.toString('utf8')),
  };
}

/** The times at which the frames of a run began. */
function runFrames(scroller: Locator, scroll: Scroll): Promise<readonly number[]> {
  return scroller.evaluate(async (target, { frames, across, down }) => {
    const channel = new MessageChannel();
    channel.port1.start();
    const times: number[] = [];
    for (let frame = 0; frame < frames; frame++) {
      times.push(await new Promise<number>(resolve => requestAnimationFrame(resolve)));
      // Scrolled between two frames, as a wheel does.
      await new Promise<unknown>(resolve => {
        channel.port1.addEventListener('message', resolve, { once: true });
        channel.port2.postMessage(undefined);
      });
      target.scrollBy(across, down);
    }
    return times;
  }, scroll);
}

function gapsOf(times: readonly number[]): readonly number[] {
  return times.slice(1).map((time, index) => time - (times[index] ?? 0));
}

function lostShare(times: readonly number[], usualGap: number): number {
  const lost = gapsOf(times).reduce((sum, gap) => sum + Math.max(0, Math.round(gap / usualGap) - 1), 0);
  return lost / (times.length + lost);
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds of the thread's own time. */
  readonly tdur?: number;
}

/** The work of each frame on the thread that drew most of them: what the browser calls a main frame. */
function readFrameWork(trace: string): readonly number[] {
  const { traceEvents } = JSON.parse(trace) as { readonly traceEvents: readonly TraceEvent[] };
  const threads = new Map<string, number[]>();
  for (const { name, ph, pid, tid, tdur } of traceEvents) {
    if (name !== 'ProxyMain::BeginMainFrame' || ph !== 'X' || tdur === undefined) continue;
    const thread = `${pid}:${tid}`;
    threads.set(thread, [...(threads.get(thread) ?? []), tdur / 1000]);
  }
  return [...threads.values()].sort((one, other) => other.length - one.length)[0] ?? [];
}
