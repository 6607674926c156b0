import type { Page } from 'playwright-core';
import { EVENTS_OF_CALL, listCallEvents } from '../../../bench/support/trace-calls.ts';
import { stateOf, type CallState } from '../../../trace/fold/call-state.ts';
import { walkCalls } from '../../../trace/export/source.ts';
import { TraceFold } from '../../../trace/fold/fold.ts';
import type { ReportCalls } from '../../../wire/timeline-messages.ts';
import { launchBrowser } from '../../../scripts/vscode/browser.ts';
import { ensureChromium } from '../../../scripts/vscode/system.ts';
import { measureScroll, MAX_WORK, p95, readTaskWork, type Figure } from './frames.ts';
import { openLonePage } from './open-lone-page.ts';

const CALLS = 100_000;
const TRACE = { perTrace: 10 * CALLS, piece: 60 };
const RUNS = 3;

/** As the extension sends them: the first calls, those that follow, and how long it waits between two changes. */
const FIRST = 1_000;
const BATCH = 8_000;
const PACE = 30;

/** Events of a second, and for how many seconds they come. */
const RATE = 10_000;
const SECONDS = 5;

/** Some 4,000 pixels a second. */
const SCROLL = { frames: 240, across: 0, down: 66 };

/** Prints the figures of the timeline's page as JSON: a trace of 100,000 calls opened, looked at, scrolled, and growing. */
async function main(): Promise<void> {
  const browser = await launchBrowser(await ensureChromium(line => console.error(line)));
  try {
    const fold = new TraceFold('counted');
    for (const event of listCallEvents(CALLS, TRACE)) fold.add(event);
    const states = Array.from(walkCalls(fold.trees()), stateOf);
    const opened: number[] = [];
    const graphs: number[] = [];
    const sequences: number[] = [];
    let page = await openLonePage(browser, 'timeline');
    for (let run = 0; run < RUNS; run++) {
      await page.context().close();
      page = await openLonePage(browser, 'timeline');
      await prepare(page, states);
      opened.push(await show(page));
      graphs.push(await bringToFront(page, 'Graph'));
      sequences.push(await bringToFront(page, 'Sequence'));
      await bringToFront(page, 'Timeline');
    }
    const once = { runs: RUNS, maxMs: 2_000 };
    const figures: readonly Figure[] = [
      { name: `${CALLS} calls: open`, medianMs: middle(opened), ...once },
      { name: `${CALLS} calls: the graph`, medianMs: middle(graphs), ...once },
      { name: `${CALLS} calls: the sequence`, medianMs: middle(sequences), ...once },
      await measureScroll(`${CALLS} calls: scroll`, page.locator('.waterfall .scroller'), SCROLL),
      await measureLive(page, fold),
    ];
    console.log(JSON.stringify(figures));
  } finally {
    await browser.close();
  }
}

/** Has a worker of the page hold the messages of the extension, so that bringing them there is not measured. */
async function prepare(page: Page, states: readonly CallState[]): Promise<void> {
  const common = { shown: 1, size: states.length };
  const looks = { source: 'Bench', notes: [], depthLimit: 5 };
  const first = {
    type: 'show',
    ...common,
    ...looks,
    trace: 't',
    calls: states.slice(0, FIRST),
    selected: states[0]?.id ?? '',
  };
  const messages: object[] = [first];
  for (let at = FIRST; at < states.length; at += BATCH)
    messages.push({ type: 'calls', ...common, calls: states.slice(at, at + BATCH), gone: [] });
  await page.evaluate(
    ([text, program]) => {
      const { sent } = globalThis as unknown as { sent: { type: string }[] };
      let drawn = (): void => undefined;
      sent.push = (...items) => {
        if (items.some(({ type }) => type === 'drawn')) drawn();
        return Array.prototype.push.apply(sent, items);
      };
      // Messages are made in a thread of their own, as the extension makes them in its own process.
      const extension = new Worker(URL.createObjectURL(new Blob([program])));
      const play = async (all: 'waiting' | 'live', pace: number): Promise<number> => {
        const begun = performance.now();
        const ended = new Promise<void>(resolve => {
          extension.onmessage = ({ data }: MessageEvent<unknown>) => {
            if (data === 'ended') resolve();
            else window.dispatchEvent(new MessageEvent('message', { data }));
          };
        });
        drawn = () => extension.postMessage('drawn');
        extension.postMessage({ play: all, pace });
        await ended;
        await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)));
        return performance.now() - begun;
      };
      Object.assign(globalThis, { play, extension });
      extension.postMessage({ keep: 'waiting', text });
    },
    [JSON.stringify(messages), `(${extend.toString()})()`] as const,
  );
}

interface Played {
  readonly extension: Worker;
  readonly play: (all: 'waiting' | 'live', pace: number) => Promise<number>;
}

/**
 * What runs in the worker: it sends messages as the extension does, the next one when the last one was taken in, all that
 * are due in one.
 */
function extend(): void {
  const lists = new Map<string, readonly ReportCalls[]>();
  let drawn = (): void => undefined;
  const wait = (ms: number): Promise<unknown> => new Promise(resolve => setTimeout(resolve, ms));
  const play = async (all: readonly ReportCalls[], pace: number): Promise<void> => {
    const begun = performance.now();
    for (let next = 0; next < all.length;) {
      await wait(Math.max(0, begun + next * pace - performance.now()));
      const due = pace === 0 ? next + 1 : Math.ceil((performance.now() - begun) / pace);
      const [first, ...others] = all.slice(next, Math.max(next + 1, due));
      next += 1 + others.length;
      const states = new Map(
        [first, ...others].flatMap(each => each?.calls.map(call => [call.id, call]) ?? []),
      );
      const message = { ...(others.at(-1) ?? first), calls: [...states.values()] };
      await new Promise<void>(resolve => {
        drawn = resolve;
        postMessage(message);
      });
      await wait(pace);
    }
    postMessage('ended');
  };
  onmessage = ({
    data,
  }: MessageEvent<'drawn' | { keep: string; text: string } | { play: string; pace: number }>) => {
    if (data === 'drawn') drawn();
    else if ('keep' in data) lists.set(data.keep, JSON.parse(data.text) as ReportCalls[]);
    else void play(lists.get(data.play) ?? [], data.pace);
  };
}

/** Milliseconds from the first message to the frame after the last. */
function show(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { play } = globalThis as unknown as Played;
    return play('waiting', 0);
  });
}

/** Milliseconds from the press to the frame after it. */
async function bringToFront(page: Page, tab: 'Timeline' | 'Graph' | 'Sequence'): Promise<number> {
  return page.getByRole('tab', { name: tab }).evaluate(async node => {
    // What is worked out when all has come, such as the critical path, is not what is measured.
    await new Promise(resolve => setTimeout(resolve, 1_000));
    const begun = performance.now();
    (node as HTMLElement).click();
    do await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)));
    while (document.querySelector('.panel:not([hidden]) [aria-busy="true"]'));
    return performance.now() - begun;
  });
}

/** Calls that come below the ones that are there, sent as the extension sends them: the changes of each 30 ms. */
async function measureLive(page: Page, fold: TraceFold): Promise<Figure> {
  fold.takeChanges();
  // They go on where the others ended, in the same trace.
  const events = [...listCallEvents((RATE * SECONDS) / EVENTS_OF_CALL, { ...TRACE, first: CALLS })];
  const each = (RATE * PACE) / 1000;
  const messages: object[] = [];
  let size = CALLS;
  for (let at = 0; at < events.length; at += each) {
    for (const event of events.slice(at, at + each)) {
      if (event.type === 'call') size++;
      fold.add(event);
    }
    fold.settle();
    const calls = [...fold.takeChanges()].map(stateOf);
    messages.push({ type: 'calls', shown: 1, size, calls, gone: [], now: events[at]?.at ?? 0 });
  }
  await page.evaluate(
    text => (globalThis as unknown as Played).extension.postMessage({ keep: 'live', text }),
    JSON.stringify(messages),
  );
  const { result: ms, work } = await readTaskWork(page, () =>
    page.evaluate(pace => {
      const { play } = globalThis as unknown as Played;
      return play('live', pace);
    }, PACE),
  );
  const rows = Number(await page.locator('.rows').getAttribute('aria-rowcount'));
  const late = Math.max(0, ms - SECONDS * 1000);
  const isLost = rows !== size;
  return {
    name: `${RATE} events a second into them: work of a frame at p95`,
    medianMs: p95(work),
    runs: work.length,
    note: `${messages.length} messages; ${size - rows} calls lost; ${late.toFixed(0)} ms behind at the end; at most ${Math.max(...work).toFixed(0)} ms`,
    maxMs: MAX_WORK,
    ...(isLost ? { fault: `${size - rows} calls lost` } : {}),
  };
}

function middle(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[values.length >> 1] ?? NaN;
}

await main();
