import { CancellationError, CancellationTokenSource, ProgressLocation, type CancellationToken } from 'vscode';
import type { ProgressStep } from '../../../core/message/message.ts';
import { withProgress } from './messages.ts';

/** Work that takes longer than this, in milliseconds, shows progress. */
const PATIENCE = 1000;

/** The observable stages of running work. Neither promise rejects. */
export interface Signs {
  /** Resolves when the work has begun. Before that, it may be waiting for the user. */
  readonly begun: Promise<void>;
  /** Resolves when the result is visibly growing, so that no progress display is needed. */
  readonly visible: Promise<void>;
  /** Where the work reports how far it is. */
  readonly steps?: StepSource;
}

/** Work that reports how far it is. */
export interface StepSource {
  /** Called when progress is shown, with a function that shows how far the work is. */
  onShown(report: (step: ProgressStep) => void): void;
}

/** How far work is, in words, and as a share of all of it. */
export function describeStep({ done, total, message }: ProgressStep): {
  readonly words: string;
  readonly share?: number;
} {
  const words = message === undefined || message === '' ? '' : `: ${message}`;
  if (total === undefined || total <= 0) return { words: `Step ${done}${words}` };
  return { words: `Step ${done} of ${total}${words}`, share: Math.max(0, Math.min(1, done / total)) };
}

/**
 * Waits for work. If it takes longer than a second after it has begun, shows cancellable progress until the
 * result is visible.
 */
export async function withPatience<Result>(
  title: string,
  work: Promise<Result>,
  { begun, visible, steps }: Signs,
  stop: AbortController,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const show = (): void =>
    void withProgress({ location: ProgressLocation.Notification, title, cancellable: true }, (bar, token) => {
      token.onCancellationRequested(() => stop.abort());
      let shown = 0;
      steps?.onShown(step => {
        const { words, share = shown } = describeStep(step);
        bar.report({ message: words, increment: Math.max(0, share - shown) * 100 });
        shown = Math.max(shown, share);
      });
      // The caller receives the error; the notification only has to close.
      return Promise.race([work.catch(() => undefined), visible]);
    });
  const end = (): void => {
    isOver = true;
    clearTimeout(timer);
  };
  void begun.then(() => {
    if (!isOver) timer = setTimeout(show, PATIENCE);
  });
  void visible.then(end);
  try {
    return await work;
  } finally {
    end();
  }
}

const NEVER = new Promise<void>(() => undefined);

/**
 * Runs work that can be stopped. If it takes longer than a second, shows cancellable progress. Returns undefined if it
 * was cancelled.
 */
export async function runStoppable<Result>(
  title: string,
  work: (signal: AbortSignal, token: CancellationToken) => Promise<Result>,
): Promise<Result | undefined> {
  const source = new CancellationTokenSource();
  const stop = new AbortController();
  stop.signal.addEventListener('abort', () => source.cancel());
  try {
    const signs = { begun: Promise.resolve(), visible: NEVER };
    return await withPatience(title, work(stop.signal, source.token), signs, stop);
  } catch (error) {
    if (error instanceof CancellationError) return undefined;
    throw error;
  } finally {
    source.dispose();
  }
}

/** Milliseconds until background work is shown in the status bar. */
const QUIET_PATIENCE = 500;

/** Waits for work, and shows it in the status bar if it takes longer than a moment. */
export async function withStatus<Result>(title: string, work: Promise<Result>): Promise<Result> {
  const show = (): void =>
    void withProgress({ location: ProgressLocation.Window, title }, () =>
      work.then(
        () => undefined,
        () => undefined,
      ),
    );
  const timer = setTimeout(show, QUIET_PATIENCE);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}

/** Shows a cancellable progress notification while work runs. */
export async function withStop<Result>(
  title: string,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const stop = new AbortController();
  return withProgress({ location: ProgressLocation.Notification, title, cancellable: true }, (_, token) => {
    token.onCancellationRequested(() => stop.abort());
    return work(stop.signal);
  });
}
