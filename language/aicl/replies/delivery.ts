import { atomSource, findPair, textOf, type AiclNode } from '../ast.ts';
import { parseStreamId } from '../unit.ts';
import { readAiclPairs } from './pairs.ts';

/** The fields that decide to which request a message belongs and whether it ends the reply. */
export interface AiclDelivery {
  /** Empty if the message has none. */
  readonly session: string;
  /** Empty if the message has none. */
  readonly messageType: string;
  /**
   * True if the message is the last of its reply: an `error`; a `result`, a `protocol_negotiate` or a message
   * without a type that is not a chunk; a chunk with `is_final` true, or the n-th of n without `is_final`.
   * Never for requests and unknown types.
   */
  readonly isLast: boolean;
}

/** Reads these fields of a message. Never fails: for an invalid message it uses the result of recovery. */
export function readAiclDelivery(message: string): AiclDelivery {
  const pairs = readAiclPairs(message).pairs;
  const find = (key: string): AiclNode | undefined => findPair(message, 0, pairs, key)?.value;
  const read = (key: string): string => {
    const value = find(key);
    return value?.kind === 'text' ? textOf(message, 0, value) : '';
  };
  const messageType = read('msg_type');
  return { session: read('session_id'), messageType, isLast: isLast(message, messageType, find) };
}

/** Types that answer a request; a message without a type is also a reply, as in the tutorial. */
const ANSWERS: ReadonlySet<string> = new Set(['result', 'protocol_negotiate', '']);

function isLast(message: string, messageType: string, find: (key: string) => AiclNode | undefined): boolean {
  if (messageType === 'error') return true;
  if (!ANSWERS.has(messageType)) return false;
  const final = find('is_final');
  if (final?.kind === 'bool') return atomSource(message, 0, final) === 'true';
  const stream = find('stream_id');
  if (stream?.kind !== 'text') return true;
  const place = parseStreamId(textOf(message, 0, stream));
  return place !== undefined && place.k === place.n;
}
