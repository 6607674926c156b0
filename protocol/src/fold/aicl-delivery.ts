import { atomSource, findPair, textOf, type AiclNode, type PairNode } from '../aicl/ast.ts';
import type { Children } from '../aicl/children.ts';
import { parseAicl, readUnit } from '../aicl/parse.ts';
import { Scanner } from '../aicl/scanner.ts';
import { parseStreamId } from '../aicl/stream-id.ts';
import { pairsOf } from '../aicl/summary.ts';
import { DEFAULT_SETTINGS } from '../catalog/settings.ts';

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
  const pairs = readPairs(message);
  const find = (key: string): AiclNode | undefined => findPair(message, 0, pairs, key)?.value;
  const read = (key: string): string => {
    const value = find(key);
    return value?.kind === 'text' ? textOf(message, 0, value) : '';
  };
  const messageType = read('msg_type');
  return { session: read('session_id'), messageType, isLast: isLast(message, messageType, find) };
}

function readPairs(message: string): Children<PairNode> {
  const tree = new Scanner(message, { count: 0 }).accept(0)?.tree;
  if (tree) return pairsOf({ tree });
  const doc = parseAicl(message, DEFAULT_SETTINGS, () => []);
  const unit = doc.units.at(0);
  return pairsOf({ tree: unit && readUnit(doc, unit).tree });
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
