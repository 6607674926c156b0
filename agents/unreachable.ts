import { NOT_SENT } from '../core/events/events.ts';
import type { Reply } from './connection.ts';

/**
 * True for a reply which shows that the agent is unreachable now: it was not reached, it timed out, or the
 * user cancelled the call. Any answer, even a page of a web server, is not such a reply.
 */
export function isUnreachable({ status, isProtocol, code = '' }: Reply): boolean {
  if (status === 'ok' || isProtocol || code === NOT_SENT) return false;
  return status === 'cancelled' || !code.startsWith('HTTP ');
}
