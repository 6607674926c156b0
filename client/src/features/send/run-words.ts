import type { CallOutcome } from '../../services/agent-service.ts';

type Outcome = Pick<CallOutcome, 'status' | 'message'>;

/** What became of requests that were sent one after the other. `at` is the index of a step. */
export interface RunResult {
  /** The requests, with their lines from 0. */
  readonly steps: readonly { readonly position: { readonly line: number } }[];
  readonly sent: readonly unknown[];
  /** The requests of `sent` whose call did not succeed. */
  readonly failed: readonly { readonly at: number; readonly outcome: Outcome }[];
  /** Requests that were not sent, with the reason; undefined if the user cancelled a question. */
  readonly held: readonly { readonly at: number; readonly held: { readonly reason: string } | undefined }[];
  /** The index of the first request that was not tried. */
  readonly next: number;
}

/** Describes the request at which the run stopped. */
export function describeEnd({ steps, failed, held, next }: RunResult): string {
  const which = `Request ${next} of ${steps.length}`;
  const last = held.at(-1);
  if (last) return `Stopped at ${describeHeld(steps, last)}`;
  const outcome = failed.at(-1)?.outcome;
  if (!outcome) return `${which} did not complete.`;
  const how = outcome.status === 'error' ? 'failed' : 'did not complete';
  return outcome.message === undefined ? `${which} ${how}.` : `${which} ${how}: ${reasonOf(outcome)}.`;
}

/** Summarizes all requests, with a line for each that failed or was not sent. */
export function describeAll({ sent, failed, held, steps }: RunResult): string {
  const counts = `${sent.length - failed.length} ok, ${failed.length} failed, ${held.length} not sent`;
  const rows = [
    ...failed.map(({ at, outcome }) => `Failed: ${whichStep(steps, at)}. ${reasonOf(outcome)}.`),
    ...held.map(each => `Not sent: ${describeHeld(steps, each)}`),
  ];
  return [`Of ${countRequests(steps.length)}: ${counts}.`, ...rows].join('\n');
}

function reasonOf({ status, message }: Outcome): string {
  return (message ?? status).replace(/\.$/, '');
}

function describeHeld(steps: RunResult['steps'], { at, held }: RunResult['held'][number]): string {
  const which = whichStep(steps, at);
  return held ? `${which}. ${held.reason}` : `${which}, which was not sent.`;
}

function whichStep(steps: RunResult['steps'], at: number): string {
  const line = (steps[at]?.position.line ?? 0) + 1;
  return `request ${at + 1} of ${steps.length}, line ${line}`;
}

export function countRequests(count: number): string {
  return count === 1 ? '1 request' : `${count} requests`;
}
