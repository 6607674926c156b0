import { describeOutcome } from '../../../../../trace/words.ts';
import { showInformation } from '../../../window/messages.ts';
import { STATUS_ICONS } from '../view/call-item.ts';
import { findCursor, readUri } from '../../../targets/arguments.ts';
import { pickItem } from '../../../window/sinks/quick-input.ts';
import type { Command } from '../../feature.ts';
import type { TracesParts } from '../parts.ts';

/**
 * Shows the calls of a line, or of the request at the cursor, on the timeline. If there are several, the user
 * picks one.
 */
export const showCalls: Command<TracesParts> = async (services, [uri, line]) => {
  const place =
    typeof line === 'number' ? { uri: readUri(uri)?.toString() ?? '', line } : await findRequest(services);
  const calls = place ? services.requestCalls.list(place.uri, place.line) : [];
  const [newest, ...others] = calls;
  if (!newest) return showInformation('This request was not sent yet, or its calls are no longer stored.');
  const rows = calls.map(node => ({
    call: node.call.call,
    label: node.call.title,
    description: `${describeOutcome(node)} · ${node.call.agent}`,
    detail: new Date(node.call.at).toLocaleString(),
    iconPath: STATUS_ICONS[node.status],
  }));
  const title = 'Calls of this request';
  const chosen = others.length === 0 ? rows[0] : await pickItem(rows, { title });
  if (chosen) services.timeline.show(chosen.call);
};

/** The line where the request at the cursor begins; undefined if there is none. */
async function findRequest({
  server,
}: TracesParts): Promise<{ readonly uri: string; readonly line: number } | undefined> {
  const cursor = findCursor();
  const request = cursor && (await server.requestAt(cursor.uri, cursor.position));
  return request ? { uri: cursor.uri.toString(), line: request.start.line } : undefined;
}
