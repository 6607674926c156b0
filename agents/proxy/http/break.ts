import type { ExchangeOutcome } from '../exchange.ts';

/** The state of a connection that ended before a reply was complete. */
interface Break {
  readonly isUpgraded: boolean;
  readonly clientEnded: boolean;
  readonly hasReply: boolean;
  /** True if the agent has sent something that is not HTTP. */
  readonly isForeign: boolean;
}

/** The outcome of an exchange whose connection ended without a network failure. */
export function describeBreak({ isUpgraded, clientEnded, hasReply, isForeign }: Break): ExchangeOutcome {
  if (isUpgraded) return { status: 'ok' };
  if (clientEnded)
    return {
      status: 'cancelled',
      code: 'CANCELLED',
      message: 'The caller ended the connection before the reply was over',
    };
  if (hasReply)
    return {
      status: 'incomplete',
      code: 'ECONNRESET',
      message: 'The agent ended the connection before its reply was over',
    };
  if (isForeign)
    return {
      status: 'error',
      code: 'NOT_HTTP',
      message:
        "The agent did not answer with valid HTTP/1.1; check that the agent's url and port are those of an HTTP server",
    };
  return {
    status: 'error',
    code: 'ECONNRESET',
    message: 'The agent ended the connection without an answer',
  };
}
