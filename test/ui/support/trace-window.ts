import assert from 'node:assert/strict';
import { before } from 'mocha';
import type { FrameLocator } from 'playwright-core';
import { takeWindow } from './shared-window.ts';
import { listRows } from './timeline-page.ts';
import { withoutTimes } from './wait.ts';
import type { Workbench } from './workbench.ts';

/** The first line of a trace file. */
export const HEADER = { format: 'agenttrace', version: 1 };

/** The event that begins a call of the trace `t`. */
export const begin = (call: string, at: number, more: object = {}): object => ({
  ...{ type: 'call', call, trace: 't', at, agent: 'worker', protocol: 'aicf', title: `call ${call}` },
  ...more,
});

/** The text of a trace file. */
export const print = (lines: readonly unknown[]): string =>
  [HEADER, ...lines].map(line => `${JSON.stringify(line)}\n`).join('');

/** Trace files in a window, one of them in front. */
export interface TraceWindow {
  readonly workbench: Workbench;
  /** The page of the file in front. */
  readonly view: FrameLocator;
  /** Opens a file; `until` says how long its first row may take. */
  readonly open: (name: string, until?: number) => Promise<void>;
  /** Presses a key in the tree of calls: the page is there and answers. */
  readonly press: (key: string) => Promise<void>;
  /** The line over the views. */
  readonly facts: () => Promise<string>;
  readonly rows: () => Promise<readonly string[]>;
  readonly selected: () => Promise<string | undefined>;
  /** Asserts that no script of a trace ran in any frame of the window, and that none was even tried. */
  readonly expectNoScript: () => Promise<void>;
}

/** Has the suite that calls this use a window with these files. */
export function useTraceWindow(files: () => Readonly<Record<string, string>>): TraceWindow {
  let workbench: Workbench;
  let view: FrameLocator;
  /** What the browser says of script that was stopped, and of script of ours that failed. */
  const complaints: string[] = [];
  before(async () => {
    workbench = await takeWindow({ files: files() });
    workbench.page.on('pageerror', error => complaints.push(String(error.stack)));
    workbench.page.on('console', message => {
      if (message.text().includes('Content Security Policy')) complaints.push(message.text());
    });
  });
  const rows = (): Promise<readonly string[]> => listRows(view, ['.title', '.badges', '.outcome']);
  return {
    get workbench() {
      return workbench;
    },
    get view() {
      return view;
    },
    open: async (name, until) => {
      view = await workbench.openPage(name);
      const timeout = until === undefined ? {} : { timeout: until };
      await view.getByRole('treegrid', { name: 'Calls' }).waitFor(timeout);
    },
    press: async key => {
      await view.getByRole('treegrid', { name: 'Calls' }).focus();
      await workbench.page.keyboard.press(key);
    },
    facts: async () => withoutTimes(await view.locator('h1').innerText()),
    rows,
    selected: async () => (await rows()).find(row => row.endsWith('*')),
    expectNoScript: async () => {
      const frames = workbench.page.frames();
      const hurt = await Promise.all(frames.map(frame => frame.evaluate(() => 'hurt' in globalThis)));
      assert.deepEqual([hurt.includes(true), complaints], [false, []]);
    },
  };
}

/** A chain of calls, each of which led to the next one. */
export function printChain(length: number): string {
  return print(
    Array.from({ length }, (_, at) => begin(`${at}`, at, at === 0 ? {} : { parent: `${at - 1}` })),
  );
}

/** A call that led to as many others. */
export function printChildren(count: number): string {
  const lines = [print([begin('root', 0, { agent: 'planner' })])];
  for (let at = 1; at <= count; at++)
    lines.push(
      `{"type":"call","call":"${at}","trace":"t","parent":"root","at":${at},"agent":"worker","protocol":"aicf","title":"call ${at}"}\n`,
    );
  return lines.join('');
}
