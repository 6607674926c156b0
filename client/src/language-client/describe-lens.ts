import type { CodeLens, Uri } from 'vscode';
import { SEND_COMMAND } from '../../../wire/server-messages.ts';
import { commandOf } from '../window/messages.ts';
import { escapeLensTitle } from '../window/sinks/labels.ts';

/** The running call of the request at a line of a document; undefined if there is none. */
export type FindRunning = (uri: Uri, line: number) => string | undefined;

/** Makes a lens show its title literally, and the lens of a request whose call runs stop that call. */
export function describeLens(lens: CodeLens, uri: Uri, findRunning: FindRunning): void {
  const { command, range } = lens;
  if (!command) return;
  const call = command.command === SEND_COMMAND ? findRunning(uri, range.start.line) : undefined;
  if (call === undefined) command.title = escapeLensTitle(command.title);
  else lens.command = commandOf('parley.stopCall', '$(debug-stop)\u00a0Stop', call);
}
