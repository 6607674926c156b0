import { CONVERSION_SCHEME } from '../convert/conversion-view.ts';
import { showWarning } from '../messages.ts';
import { REPLY_SCHEME } from '../replies/reply-documents.ts';
import { sendAt } from '../send.ts';
import { findCursor, readPosition, readUri } from './arguments.ts';
import type { Command } from './command.ts';

/** Documents that are read, not sent. */
const READ_ONLY: ReadonlySet<string> = new Set([REPLY_SCHEME, CONVERSION_SCHEME]);

/** Sends a request: the one that a lens names, else the one at the cursor. Answers what came of it. */
export const send: Command = (services, [uriArgument, positionArgument]) => {
  const [uri, position] = [readUri(uriArgument), readPosition(positionArgument)];
  const place = uri && position ? { uri, position } : findCursor();
  if (!place || READ_ONLY.has(place.uri.scheme)) {
    showWarning('Open an .aicl or .aicf file and put the cursor on a request, then send it.', new Map());
    return undefined;
  }
  return sendAt(services, place.uri, place.position, 'stop');
};
