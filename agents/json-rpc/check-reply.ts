import { readJsonPieces } from '../../language/values/json-reader.ts';
import { isSse } from '../../language/values/sse.ts';
import { readFields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import { quote } from '../../core/text/quote.ts';
import type { Reply, WireListener } from '../connection.ts';

/** Longer replies are taken as they are: to look at one costs as much as to read it. */
const MOST_CHECKED = 1 << 24;

/**
 * Holds the body of a reply to what one reply of JSON-RPC is: whole JSON, once, with the id of its request (JSON-RPC 2.0,
 * section 5). It is the reply in any case, since it came over the connection of its request; what is odd about it is noted,
 * and one that was cut is not whole.
 */
export function checkReply(wireText: string, reply: Reply, listener: Pick<WireListener, 'note'>): Reply {
  const { text, isProtocol, status } = reply;
  if (!isProtocol || status === 'incomplete' || text.length > MOST_CHECKED || isSse(text)) return reply;
  const value = parseJson(text.replace(/^\u{feff}/u, ''));
  if (value === undefined) {
    const { pieces, faults } = readJsonPieces(text);
    if (pieces.length > 1) {
      listener.note(`The agent answered ${pieces.length} times; all of that is kept`);
      return reply;
    }
    const what = faults[0]?.message ?? 'it is no JSON';
    return {
      ...reply,
      status: 'incomplete',
      message: `The reply is not whole: ${what}; send again for the rest`,
    };
  }
  const given = readId(value);
  const asked = readId(parseJson(wireText));
  if (given !== undefined && asked !== undefined && given !== asked)
    listener.note(
      `The reply names the id ${quote(given)}, and the request has ${quote(asked)}; it was taken for the reply all the same`,
    );
  return reply;
}

function readId(value: unknown): string | undefined {
  const id = readFields(value)?.get('id');
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}
