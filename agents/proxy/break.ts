import type { ExchangeOutcome } from './exchange.ts';

/** How a connection stood when it ended before a reply was over. */
interface Break {
  readonly isUpgraded: boolean;
  readonly clientEnded: boolean;
  readonly hasReply: boolean;
  /** True once the agent said something that is no HTTP. */
  readonly isForeign: boolean;
}

/** What came of an exchange whose connection ended without a fault of the network. */
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
        "What the agent answered is no valid HTTP/1.1; check that the agent's url and port are those of an HTTP server",
    };
  return {
    status: 'error',
    code: 'ECONNRESET',
    message: 'The agent ended the connection without an answer',
  };
}
