import { atomSource, findPair, textOf, type AiclNode } from '../ast.ts';
import { parseStreamId } from '../stream-id.ts';
import { readAiclPairs } from './pairs.ts';

/** What decides to which request a message belongs, and whether it ends the reply. */
export interface AiclDelivery {
  /** Empty where the message names none. */
  readonly session: string;
  /** Empty where the message names none. */
  readonly messageType: string;
  /**
   * True where nothing more of the same reply follows: an `error`; a `result`, a `protocol_negotiate` or a message
   * without a type that is no chunk; the chunk with `is_final` true, or the n-th of n where no `is_final` says
   * otherwise. Never for requests and unknown types.
   */
  readonly isLast: boolean;
}

/** Reads it of one message. Total: of a message that is not valid it reads what recovery finds. */
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

/** Types that answer a request; a message without a type is a reply, too (the tutorial's messages have none). */
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
