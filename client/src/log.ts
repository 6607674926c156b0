import { window, type LogOutputChannel } from 'vscode';

/** The one log channel of the extension. The language client writes into it too. */
export function createLog(): LogOutputChannel {
  return window.createOutputChannel('Parley', { log: true });
}

/** What went wrong, for the log and for people: the message of an Error, else the value as text. */
export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
