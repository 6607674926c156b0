import type { EndEvent, TokenUsage } from '../core/events/events.ts';

/** What came of a call, as far as it is known. */
interface KnownOutcome {
  readonly status: EndEvent['status'];
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  readonly usage?: TokenUsage | undefined;
}

/** The same as the end of a call tells it: what is not known is not there. */
export function tellOutcome(known: KnownOutcome): Pick<EndEvent, 'status' | 'code' | 'message' | 'usage'> {
  const { status, code, message, usage } = known;
  return {
    status,
    ...(code === undefined ? {} : { code }),
    ...(message === undefined ? {} : { message }),
    ...(usage ? { usage } : {}),
  };
}
