import { workspace, type Uri } from 'vscode';
import type { LinePosition } from '../../../../core/text/source-text.ts';
import { isRecord } from '../../../../core/guard.ts';
import { CONVERSION_SCHEME } from '../../conversion/conversion-view.ts';
import { showWarning } from '../../window/messages.ts';
import { REPLY_SCHEME } from '../../replies/reply-documents.ts';
import { sendAt } from '../../sending/send.ts';
import { findCursor, readPosition, readUri } from '../../targets/arguments.ts';
import type { Command, Shared } from '../feature.ts';

/** The schemes of documents that cannot be sent. */
const READ_ONLY: ReadonlySet<string> = new Set([REPLY_SCHEME, CONVERSION_SCHEME]);

/** Sends a request: the one of a lens or of a gutter line, else the one at the cursor. Returns its outcome. */
export const send: Command = async (services, [target, positionArgument]) => {
  const [uri, position] = [readUri(target), readPosition(positionArgument)];
  const named = uri && position ? { uri, position } : await findAtLine(services, target);
  const place = named ?? findCursor();
  if (!place || READ_ONLY.has(place.uri.scheme))
    return showWarning(
      'Open a file with requests, such as x.aicf or x.mcp.jsonc, and put the cursor on a request, then send it.',
    );
  return sendAt(services, place.uri, place.position, { errors: 'hold' });
};

/** The request at the line of a gutter menu, or the next one below, for example from the line of a directive. */
async function findAtLine(
  { server }: Shared,
  target: unknown,
): Promise<{ readonly uri: Uri; readonly position: LinePosition } | undefined> {
  if (!isRecord(target) || typeof target['lineNumber'] !== 'number') return undefined;
  const uri = readUri(target['uri']);
  if (!uri) return undefined;
  const position = { line: target['lineNumber'] - 1, character: 0 };
  const document = await workspace.openTextDocument(uri);
  const end = { line: document.lineCount, character: 0 };
  const [below] = await server.requestsIn(uri, { start: position, end });
  return { uri, position: below ?? position };
}
