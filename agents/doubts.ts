import { NOT_SENT } from '../trace/words.ts';
import type { Outgoing, Reply, WireListener } from './connection.ts';

/** What is answered in place of an agent: `reason` is the rest of a sentence, without a full stop. */
export function notSent(reason: string): Reply {
  return { status: 'error', code: NOT_SENT, message: `Not sent: ${reason}`, text: '', isProtocol: false };
}

/**
 * Holds a request about which there are doubts: answers the reply that says the first of them. Where it goes out all the same,
 * they are noted, and there is no reply yet.
 */
export function holdBack(
  doubts: readonly string[],
  doubtful: Outgoing['doubtful'],
  listener: WireListener,
): Reply | undefined {
  const [first] = doubts;
  if (first !== undefined && doubtful !== 'send') return notSent(first);
  for (const doubt of doubts) listener.note(`${doubt.slice(0, 1).toUpperCase()}${doubt.slice(1)}`);
  return undefined;
}
