import { ProgressLocation, window } from 'vscode';

/** What takes longer than this, in milliseconds, shows that it runs. */
const PATIENCE = 1000;

/**
 * Waits for work; when it takes longer than a second, shows progress with a way to stop it. The progress goes as soon as
 * `visible` settles: what can be seen growing needs no other sign.
 */
export async function withPatience<Result>(
  title: string,
  work: Promise<Result>,
  visible: Promise<void>,
  stop: AbortController,
): Promise<Result> {
  const timer = setTimeout(() => {
    void window.withProgress(
      { location: ProgressLocation.Notification, title, cancellable: true },
      (_, token) => {
        token.onCancellationRequested(() => stop.abort());
        // The caller gets the failure; the notification only has to go.
        return Promise.race([work.catch(() => undefined), visible]);
      },
    );
  }, PATIENCE);
  // `visible` never fails.
  void visible.then(() => clearTimeout(timer));
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
