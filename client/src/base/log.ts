import { window, type LogOutputChannel } from 'vscode';

/** Creates the log channel of the extension. The language client also writes to it. */
export function createLog(): LogOutputChannel {
  return window.createOutputChannel('Parley', { log: true });
}

/** The message of an Error, else the value as text. */
export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
