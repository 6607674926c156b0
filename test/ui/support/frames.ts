import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { Row } from '../../../bench/benchmark.ts';

/** A scroll, by so many pixels in each of so many frames. */
export interface Scroll {
  readonly frames: number;
  readonly across: number;
  readonly down: number;
}

/** A row of a benchmark's table, of what a page of ours did. */
export type Figure = Omit<Row, 'kind'>;

/** The most milliseconds of a frame that may be work, and the most frames that may be lost beyond those of a page at rest. */
export const MAX_WORK = 8;
const MAX_LOST = 0.05;

/** What it costs to scroll, against the same page at rest just before. */
interface ScrollCost {
  /** The share of frames that were not drawn, above what the page at rest does not draw. */
  readonly lostShare: number;
  /** Milliseconds that the main thread worked in each frame: script, layout and painting, without waiting for others. */
  readonly workMs: readonly number[];
}

/** Scrolls an element; the row says how much of its frames was work, at p95, and how many of them were lost. */
export async function measureScroll(name: string, scroller: Locator, scroll: Scroll): Promise<Figure> {
  const { lostShare: share, workMs } = await readScrollCost(scroller, scroll);
  const lost = `${(100 * share).toFixed(1)} % more frames lost than at rest`;
  return {
    name: `${name}, work of a frame at p95`,
    medianMs: p95(workMs),
    runs: workMs.length,
    note: lost,
    maxMs: MAX_WORK,
    ...(share > MAX_LOST ? { fault: lost } : {}),
  };
}

/** What all but one of twenty do not exceed. */
export function p95(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length * 0.95)] ?? NaN;
}

async function readScrollCost(scroller: Locator, scroll: Scroll): Promise<ScrollCost> {
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
  /** Microseconds: when it began, and of the thread's own time. */
  readonly ts: number;
  readonly tdur?: number;
}

/** Microseconds of a frame on a usual screen. */
const FRAME = 1e6 / 60;

/** What a page did, and the milliseconds that its main thread worked in each 1/60 second of that, whatever it worked on. */
export async function readTaskWork<Result>(
  page: Page,
  act: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly work: readonly number[] }> {
  const browser = page.context().browser();
  assert.ok(browser);
  await browser.startTracing(page, { categories: ['cc', 'toplevel'] });
  const result = await act();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString('utf8')) as TraceLog;
  const thread = findFrameThread(traceEvents);
  const tasks = traceEvents.filter(
    ({ name, ph, pid, tid }) =>
      name === 'ThreadControllerImpl::RunTask' && ph === 'X' && `${pid}:${tid}` === thread,
  );
  const start = Math.min(...tasks.map(({ ts }) => ts));
  const work: number[] = [];
  for (const { ts, tdur = 0 } of tasks) {
    const frame = Math.floor((ts - start) / FRAME);
    work[frame] = (work[frame] ?? 0) + tdur / 1000;
  }
  return { result, work: Array.from(work, ms => ms ?? 0) };
}

interface TraceLog {
  readonly traceEvents: readonly TraceEvent[];
}

/** The work of each frame on the thread that drew most of them: what the browser calls a main frame. */
function readFrameWork(trace: string): readonly number[] {
  const { traceEvents } = JSON.parse(trace) as TraceLog;
  const threads = new Map<string, number[]>();
  for (const { name, ph, pid, tid, tdur } of traceEvents) {
    if (name !== 'ProxyMain::BeginMainFrame' || ph !== 'X' || tdur === undefined) continue;
    const thread = `${pid}:${tid}`;
    threads.set(thread, [...(threads.get(thread) ?? []), tdur / 1000]);
  }
  return [...threads.values()].sort((one, other) => other.length - one.length)[0] ?? [];
}

/** The thread that began most main frames. */
function findFrameThread(events: readonly TraceEvent[]): string {
  const counts = new Map<string, number>();
  for (const { name, pid, tid } of events)
    if (name === 'ProxyMain::BeginMainFrame')
      counts.set(`${pid}:${tid}`, (counts.get(`${pid}:${tid}`) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? '';
}
