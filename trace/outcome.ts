import { defined } from '../core/text/fields.ts';
import type { EndEvent, TokenUsage } from '../core/events/events.ts';

/** The outcome of a call; unknown members are undefined. */
interface KnownOutcome {
  readonly status: EndEvent['status'];
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  readonly usage?: TokenUsage | undefined;
}

/** The outcome as members of an end event, without the unknown ones. */
export function outcomeFields(known: KnownOutcome): Pick<EndEvent, 'status' | 'code' | 'message' | 'usage'> {
  const { status, code, message, usage } = known;
  return defined({ status, code, message, usage });
}
