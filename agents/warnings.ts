import { NOT_SENT } from '../core/events/events.ts';
import type { Outgoing, Reply, WireListener } from './connection.ts';

/** The reply for a request that was not sent. `reason` completes the sentence, without a full stop. */
export function notSent(reason: string): Reply {
  return { status: 'error', code: NOT_SENT, message: `Not sent: ${reason}`, text: '', isProtocol: false };
}

/**
 * Holds a request that has warnings: returns a reply with the first one. If such requests are sent all the
 * same, notes the warnings and returns undefined.
 */
export function holdBack(
  warnings: readonly string[],
  warningPolicy: Outgoing['warningPolicy'],
  listener: WireListener,
): Reply | undefined {
  const [first] = warnings;
  if (first !== undefined && warningPolicy !== 'send') return notSent(first);
  for (const warning of warnings) listener.note(`${warning.slice(0, 1).toUpperCase()}${warning.slice(1)}`);
  return undefined;
}
