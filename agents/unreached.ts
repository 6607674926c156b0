import { NOT_SENT } from '../trace/words.ts';
import type { Reply } from './connection.ts';

/**
 * True for a reply that says of its agent that it cannot be asked now: it was not reached, said nothing in time, or the
 * user gave the call up. Whatever an agent answers, a page of a web server included, is no such reply.
 */
export function isUnreached({ status, isProtocol, code = '' }: Reply): boolean {
  if (status === 'ok' || isProtocol || code === NOT_SENT) return false;
  return status === 'cancelled' || !code.startsWith('HTTP ');
}
