import { findEntry, textIn } from '../../core/values/value.ts';
import { readWrittenJson } from '../../language/values/json-reader.ts';
import { printId } from '../../protocols/recognise/names.ts';
import type { RecognisedRequest } from '../../protocols/recognise/request.ts';
import type { ExchangeOutcome } from './exchange.ts';

/** A request that whoever sent it takes back. */
export interface Cancelled {
  /** What names the request. */
  readonly id: string;
  /** What comes of it where no answer is on its way already. */
  readonly outcome: ExchangeOutcome;
}

/** The request that a notification takes back (MCP, utilities, "Cancellation"); undefined for any other message. */
export function readCancelled({ protocol, kind }: RecognisedRequest, text: string): Cancelled | undefined {
  if (protocol !== 'mcp' || kind !== 'notification') return undefined;
  const message = readWrittenJson(text);
  if (textIn(findEntry(message, 'method')) !== 'notifications/cancelled') return undefined;
  const params = findEntry(message, 'params');
  const id = printId(findEntry(params, 'requestId'));
  if (id === undefined) return undefined;
  const reason = textIn(findEntry(params, 'reason'));
  const why = reason === undefined || reason.trim() === '' ? '' : `: ${reason}`;
  return {
    id,
    outcome: { status: 'cancelled', code: 'CANCELLED', message: `Its caller cancelled it${why}` },
  };
}
