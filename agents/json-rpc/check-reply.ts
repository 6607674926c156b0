import { readJsonPieces } from '../../language/values/json-reader.ts';
import { isSse } from '../../core/text/event-stream.ts';
import { readFields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import { firstOf } from '../../core/text/count.ts';
import { quote } from '../../core/text/quote.ts';
import type { Reply, WireListener } from '../connection.ts';

/** Replies with more characters are not checked: checking costs as much as reading. */
const MAX_CHECKED = 1 << 24;

/**
 * Checks that the body of a reply is one reply of JSON-RPC: valid JSON, once, with the id of its request
 * (JSON-RPC 2.0, section 5), or the replies to the requests of a batch. It counts as the reply in any case, because it arrived on the connection of its
 * request. Deviations are noted, and a reply that was cut off is incomplete.
 */
export function checkReply(wireText: string, reply: Reply, listener: Pick<WireListener, 'note'>): Reply {
  const { text, isProtocol, status } = reply;
  if (!isProtocol || status === 'incomplete' || text.length > MAX_CHECKED || isSse(text)) return reply;
  const value = parseJson(text.replace(/^\u{feff}/u, ''));
  if (value === undefined) {
    const { pieces, faults } = readJsonPieces(text);
    if (pieces.length > 1) {
      listener.note(`The agent answered ${pieces.length} times; all answers were recorded`);
      return reply;
    }
    const what = faults[0]?.message ?? 'it is not JSON';
    return {
      ...reply,
      status: 'incomplete',
      message: `The reply is incomplete: ${what}; send again for the rest`,
    };
  }
  const sent = parseJson(wireText);
  if (Array.isArray(sent)) {
    checkBatch(sent, value, listener);
    return reply;
  }
  const given = readId(value);
  const sentId = readId(sent);
  if (given !== undefined && sentId !== undefined && given !== sentId)
    listener.note(
      `The reply names the id ${quote(given)}, and the request has ${quote(sentId)}; it was treated as the reply anyway`,
    );
  return reply;
}

/** Notes the requests of a batch that have no answer, and the answers that belong to none (section 6). */
function checkBatch(sent: readonly unknown[], value: unknown, listener: Pick<WireListener, 'note'>): void {
  const answers: readonly unknown[] = Array.isArray(value) ? value : [value];
  // One error answers a batch that the agent could not read.
  if (!Array.isArray(value) && readId(value) === undefined) return;
  const given = new Set(answers.map(readId));
  const requested = new Set(sent.map(readId).filter(id => id !== undefined));
  const missing = [...requested].filter(id => !given.has(id));
  const foreign = [...given].filter(id => id === undefined || !requested.has(id));
  if (missing.length > 0)
    listener.note(
      `The reply has no answer to the requests with the ids ${firstOf(missing.map(id => quote(id)))}`,
    );
  if (foreign.length > 0)
    listener.note(
      `The reply has ${foreign.length === 1 ? '1 answer that belongs' : `${foreign.length} answers that belong`} to no request of the batch`,
    );
}

function readId(value: unknown): string | undefined {
  const id = readFields(value)?.get('id');
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}
