import { readWrittenJson } from '../../../language/values/json-reader.ts';
import type { Protocols } from '../../../protocols/protocol.ts';
import type { RecognisedRequest } from '../../../protocols/recognise/request.ts';
import type { ExchangeOutcome } from '../exchange.ts';

/** A request that its sender has cancelled. */
export interface Cancelled {
  /** The id of the request. */
  readonly id: string;
  /** The outcome of the request, unless its answer is already under way. */
  readonly outcome: ExchangeOutcome;
}

/** The request that a notification cancels; undefined for any other message. */
export function readCancelled(
  protocols: Protocols,
  { protocol, kind }: RecognisedRequest,
  text: string,
): Cancelled | undefined {
  const cancels = protocols.find(protocol)?.requests.cancels;
  const message = cancels && kind === 'notification' ? readWrittenJson(text) : undefined;
  const found = message && cancels?.(message);
  if (!found) return undefined;
  const { id, reason } = found;
  const why = reason === undefined || reason.trim() === '' ? '' : `: ${reason}`;
  return {
    id,
    outcome: { status: 'cancelled', code: 'CANCELLED', message: `Its caller cancelled it${why}` },
  };
}
