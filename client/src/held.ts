import { NOT_SENT } from '../../trace/words.ts';
import type { CallOutcome, CallRequest } from './agent-service.ts';
import { showWarning, type Actions } from './messages.ts';

/** A request that did not go out. */
export interface Held {
  /** Errors in it, or a doubt about it, do not keep a user from sending it; what is refused can never go out as it is. */
  readonly kind: 'errors' | 'doubt' | 'refused';
  /** Why, as a sentence for people. */
  readonly reason: string;
  /** What helps besides sending it all the same. */
  readonly actions: Actions;
}

/** The word for sending what was held, wherever it is offered. */
export const SEND_ANYWAY = 'Send anyway';

/** True for what the user may send all the same. */
export function mayGoAnyway({ kind }: Held): boolean {
  return kind !== 'refused';
}

/** Tells by a notification why a request did not go out, with the ways on. */
export function tellHeld(held: Held, sendAnyway: () => unknown): void {
  const anyway: Actions = new Map(mayGoAnyway(held) ? [[SEND_ANYWAY, sendAnyway]] : []);
  showWarning(held.reason, new Map([...held.actions, ...anyway]));
}

/** Why a request was held that was about to go out; undefined for one that went. */
export function findHeld({ doubtful }: CallRequest, { code, message }: CallOutcome): Held | undefined {
  if (code !== NOT_SENT) return undefined;
  const reason = `${(message ?? 'Not sent').replace(/\.$/, '')}.`;
  // What was to go out all the same and did not never will.
  return { kind: doubtful === 'hold' ? 'doubt' : 'refused', reason, actions: new Map() };
}
