import { NOT_SENT } from '../../../core/events/events.ts';
import type { CallOutcome, CallRequest } from '../services/agent-service.ts';
import { showWarning, type Actions } from '../window/messages.ts';

/** A request that was held back. */
export interface Held {
  /** A request with errors or a warning can be sent anyway; a refused one can never be sent unchanged. */
  readonly kind: 'errors' | 'warnings' | 'refused';
  /** The reason as a sentence. */
  readonly reason: string;
  /** Actions other than sending it anyway. */
  readonly actions: Actions;
}

/** The label of the action that sends a held request. */
export const SEND_ANYWAY = 'Send anyway';

/** True if the user may send the request anyway. */
export function mayGoAnyway({ kind }: Held): boolean {
  return kind !== 'refused';
}

/** Shows a notification with the reason and the available actions. */
export function reportHeld(held: Held, sendAnyway: () => unknown): void {
  const anyway: Actions = new Map(mayGoAnyway(held) ? [[SEND_ANYWAY, sendAnyway]] : []);
  showWarning(held.reason, new Map([...held.actions, ...anyway]));
}

/** The reason why a request was held back just before sending; undefined if it was sent. */
export function findHeld({ warningPolicy }: CallRequest, { code, message }: CallOutcome): Held | undefined {
  if (code !== NOT_SENT) return undefined;
  const reason = `${(message ?? 'Not sent').replace(/\.$/, '')}.`;
  // If it was held although warnings were to be ignored, it can never be sent.
  return { kind: warningPolicy === 'hold' ? 'warnings' : 'refused', reason, actions: new Map() };
}
