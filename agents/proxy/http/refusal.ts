import type { Exchange, ExchangeOutcome } from '../exchange.ts';
import { statusOf } from './http-framing.ts';
import type { OwnReply } from '../own-reply.ts';

/** A reply from the recording itself, after which nothing more passes. */
export interface Refusal {
  readonly reply: OwnReply;
  /** The exchange that is refused, and its outcome; undefined if the refusal belongs to no call. */
  readonly of?: { readonly exchange: Exchange; readonly outcome: ExchangeOutcome };
  /** True if part of the request has reached the agent, which must not take that for a complete one. */
  readonly isCut?: boolean;
}

/** The code of a call that ended because the end of one of its messages is ambiguous. */
export const BAD_FRAMING = 'BAD_FRAMING';

/** Reports a reply of the recording itself to an exchange. */
export function reportOwnReply(exchange: Exchange, { line, contentType, body }: OwnReply): void {
  const headers = [{ name: 'Content-Type', value: contentType }];
  exchange.replyHead(line, statusOf(`HTTP/1.1 ${line}`), headers);
  exchange.foreign('in', Buffer.from(body));
  exchange.note('The recording answered instead of the agent');
}
