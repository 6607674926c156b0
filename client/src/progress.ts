import { CancellationError, CancellationTokenSource, ProgressLocation, type CancellationToken } from 'vscode';
import { withProgress } from './messages.ts';

/** What takes longer than this, in milliseconds, shows that it runs. */
const PATIENCE = 1000;

/** What a user can know of work that runs. Neither promise ever fails. */
export interface Signs {
  /** The other side has the work: until then it may be the user who is waited for. */
  readonly begun: Promise<void>;
  /** It can be seen growing, and needs no other sign. */
  readonly visible: Promise<void>;
}

/**
 * Waits for work; when it takes longer than a second from its beginning, shows progress with a way to stop it, until it
 * can be seen growing.
 */
export async function withPatience<Result>(
  title: string,
  work: Promise<Result>,
  { begun, visible }: Signs,
  stop: AbortController,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const show = (): void =>
    void withProgress({ location: ProgressLocation.Notification, title, cancellable: true }, (_, token) => {
      token.onCancellationRequested(() => stop.abort());
      // The caller gets the failure; the notification only has to go.
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
 * Runs work that stops with a token; when it takes longer than a second, shows progress with a way to stop it. Undefined
 * where it was stopped.
 */
export async function runStoppable<Result>(
  title: string,
  work: (token: CancellationToken) => Promise<Result>,
): Promise<Result | undefined> {
  const source = new CancellationTokenSource();
  const stop = new AbortController();
  stop.signal.addEventListener('abort', () => source.cancel());
  try {
    const signs = { begun: Promise.resolve(), visible: NEVER };
    return await withPatience(title, work(source.token), signs, stop);
  } catch (error) {
    if (error instanceof CancellationError) return undefined;
    throw error;
  } finally {
    source.dispose();
  }
}

/** Milliseconds after which the status bar says that work runs which nobody asked for by a command. */
const QUIET_PATIENCE = 500;

/** Waits for work; when it takes longer than a moment, the status bar says that it runs. */
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
