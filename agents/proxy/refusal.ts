import type { Exchange, ExchangeOutcome } from './exchange.ts';
import { statusOf } from './http-framing.ts';
import type { OwnReply } from './own-reply.ts';

/** What the recording answers itself, after which nothing more passes. */
export interface Refusal {
  readonly reply: OwnReply;
  /** What is refused, and what is kept of that; undefined where it is nobody's call. */
  readonly of?: { readonly exchange: Exchange; readonly outcome: ExchangeOutcome };
  /** True where some of it has reached the agent, which must not take that for a whole request. */
  readonly isCut?: boolean;
}

/** The code of a call that ended because readers could differ in where one of its messages ends. */
export const BAD_FRAMING = 'BAD_FRAMING';

/** Tells that a reply is the recording's own. */
export function tellOwnReply(exchange: Exchange, { line, contentType, body }: OwnReply): void {
  const headers = [{ name: 'Content-Type', value: contentType }];
  exchange.replyHead(line, statusOf(`HTTP/1.1 ${line}`), headers);
  exchange.foreign('in', Buffer.from(body));
  exchange.note('The recording answered in the place of the agent');
}
