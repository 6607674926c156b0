import type { Locator } from 'playwright-core';

/** What a page did in a run of frames. Times are milliseconds. */
export interface FrameRun {
  /** The share of frames that a screen would have shown and the page did not draw. */
  readonly droppedShare: number;
  /** What the main thread worked in each frame: from its first listener to the end of its drawing. */
  readonly workMs: readonly number[];
}

/** Frames of a page: some in which nothing happens, then as many in which an element is scrolled by so many pixels each. */
export function measureScroll(
  scroller: Locator,
  options: { readonly frames: number; readonly across: number; readonly down: number },
): Promise<{ readonly idle: FrameRun; readonly scrolled: FrameRun }> {
  return scroller.evaluate(async (target, { frames, across, down }) => {
    const nextFrame = (): Promise<number> => new Promise(resolve => requestAnimationFrame(resolve));
    const channel = new MessageChannel();
    channel.port1.start();
    /** The task after a frame was drawn. */
    const afterDrawing = (): Promise<void> =>
      new Promise(resolve => {
        channel.port1.addEventListener('message', () => resolve(), { once: true });
        channel.port2.postMessage(undefined);
      });
    let began = 0;
    // Scroll events come before all else in a frame, and to the window before the page's own listeners.
    window.addEventListener('scroll', () => (began ||= performance.now()), { capture: true });

    const run = async (move: () => void): Promise<{ times: number[]; workMs: number[] }> => {
      const times: number[] = [];
      const workMs: number[] = [];
      for (let frame = 0; frame < frames; frame++) {
        began = 0;
        times.push(await nextFrame());
        began ||= performance.now();
        await afterDrawing();
        workMs.push(performance.now() - began);
        move();
      }
      return { times, workMs };
    };
    const idle = await run(() => undefined);
    const scrolled = await run(() => target.scrollBy(across, down));
    const gapsOf = (times: readonly number[]): number[] =>
      times.slice(1).map((time, index) => time - (times[index] ?? 0));
    const usual = gapsOf(idle.times).sort((one, other) => one - other)[Math.floor(frames / 2)] ?? 1;
    const droppedShare = (times: readonly number[]): number => {
      const missed = gapsOf(times).reduce((sum, gap) => sum + Math.max(0, Math.round(gap / usual) - 1), 0);
      return missed / (times.length + missed);
    };
    return {
      idle: { droppedShare: droppedShare(idle.times), workMs: idle.workMs },
      scrolled: { droppedShare: droppedShare(scrolled.times), workMs: scrolled.workMs },
    };
  }, options);
}
