import { commands, ProgressLocation, type Uri } from 'vscode';
import type { LinePosition } from '../../../../core/text/source-text.ts';
import { mayGoAnyway, SEND_ANYWAY, type Held } from '../../sending/held.ts';
import { type Actions, showInformation, showWarning, withProgress } from '../../window/messages.ts';
import type { Sent } from '../../sending/run-call.ts';
import { sendAt, type SendOptions } from '../../sending/send.ts';
import type { Shared } from '../feature.ts';

/** Whether to continue after a failed request. */
export type OnFailure = 'stop' | 'go on';

/** The result of sending requests one after the other. */
export interface SentMany {
  readonly sent: readonly Sent[];
  /** The reasons for requests that were not sent, by their number from 1. */
  readonly held: ReadonlyMap<number, string>;
  /** The number of requests. */
  readonly wanted: number;
}

/**
 * Sends requests of a document one after the other. Stops at the first one that fails or is not sent, unless
 * `onFailure` is `go on`. The user can stop it, send held requests anyway, and send the rest after a failure.
 */
export function sendMany(
  services: Shared,
  uri: Uri,
  positions: readonly LinePosition[],
  onFailure: OnFailure,
): Promise<SentMany> {
  const steps = positions.map(position => ({ position, errors: 'stop' as const }));
  return sendSteps(services, uri, steps, onFailure);
}

interface Step extends Pick<SendOptions, 'errors'> {
  readonly position: LinePosition;
}

/** A request that was not sent: its index, and the reason; undefined if the user cancelled a question. */
interface HeldStep {
  readonly at: number;
  readonly held: Held | undefined;
}

interface Run {
  readonly uri: Uri;
  readonly steps: readonly Step[];
  readonly onFailure: OnFailure;
  readonly sent: readonly Sent[];
  readonly held: readonly HeldStep[];
  /** The index of the first request that was not tried. */
  readonly next: number;
}

async function sendSteps(
  services: Shared,
  uri: Uri,
  steps: readonly Step[],
  onFailure: OnFailure,
): Promise<SentMany> {
  const stop = new AbortController();
  const sent: Sent[] = [];
  const held: HeldStep[] = [];
  const options = { location: ProgressLocation.Notification, title: 'Sending requests', cancellable: true };
  const next = await withProgress(options, async (progress, token) => {
    token.onCancellationRequested(() => stop.abort());
    for (const [at, { position, errors }] of steps.entries()) {
      if (stop.signal.aborted) return at;
      const increment = at === 0 ? 0 : 100 / steps.length;
      progress.report({ message: `${at + 1} of ${steps.length}`, increment });
      let why: Held | undefined;
      const host = { stop, reply: 'beside', onHeld: (reported: Held) => void (why = reported) } as const;
      const result = await sendAt(services, uri, position, { errors, host });
      if (result && !why) sent.push(result);
      else held.push({ at, held: why });
      const isFine = !why && result?.outcome.status === 'ok';
      if (!isFine && (onFailure === 'stop' || stop.signal.aborted)) return at + 1;
    }
    return steps.length;
  });
  const run: Run = { uri, steps, onFailure, sent, held, next };
  if (stop.signal.aborted) reportStopped(run);
  else report(services, run);
  const reasons = held.map(({ at, held: why }) => [at + 1, why?.reason ?? ''] as const);
  return { sent, held: new Map(reasons), wanted: steps.length };
}

const MAX_ACTIONS = 3;

const TRACES: readonly [string, () => unknown] = [
  'Show traces',
  () => commands.executeCommand('parley.traces.focus'),
];

function reportStopped({ sent, steps }: Run): void {
  showInformation(`Stopped after ${sent.length} of ${countRequests(steps.length)}.`, new Map([TRACES]));
}

function report(services: Shared, run: Run): void {
  const { sent, held, steps, next } = run;
  const failed = sent.filter(each => each.outcome.status !== 'ok');
  if (failed.length === 0 && sent.length === steps.length) {
    showInformation(`Sent ${countRequests(steps.length)}; each was answered.`, new Map([TRACES]));
    return;
  }
  const words =
    next < steps.length || run.onFailure === 'stop'
      ? describeEnd(run, failed.at(-1))
      : describeAll(run, failed.length);
  const anyway = held.filter(each => each.held && mayGoAnyway(each.held));
  const others = held.flatMap(each => [...(each.held?.actions ?? [])]);
  // A notification has space for three buttons.
  const actions: Actions = new Map(
    [...listWaysOn(services, run, anyway), ...others, TRACES].slice(0, MAX_ACTIONS),
  );
  showWarning(words, actions);
}

/** The actions: send the held requests anyway, followed by the rest; or send only the rest. */
function listWaysOn(
  services: Shared,
  { uri, steps, next, onFailure }: Run,
  anyway: readonly HeldStep[],
): [string, () => unknown][] {
  const rest = steps.slice(next);
  const forced = anyway
    .flatMap(({ at }) => steps[at] ?? [])
    .map(step => ({ ...step, errors: 'anyway' as const }));
  const ways: [string, () => unknown][] = [];
  if (forced.length > 0)
    ways.push([SEND_ANYWAY, () => sendSteps(services, uri, [...forced, ...rest], onFailure)]);
  if (rest.length > 0) {
    const label = rest.length === 1 ? 'Send the last one' : `Send the other ${rest.length}`;
    ways.push([label, () => sendSteps(services, uri, rest, 'stop')]);
  }
  return ways;
}

/** Describes the request at which it stopped. */
function describeEnd({ steps, held, next }: Run, failed: Sent | undefined): string {
  const which = `Request ${next} of ${steps.length}`;
  const last = held.at(-1);
  if (last) return `Stopped at ${describeHeld(steps, last)}`;
  if (!failed) return `${which} did not complete.`;
  const { status, message } = failed.outcome;
  const how = status === 'error' ? 'failed' : 'did not complete';
  return message === undefined ? `${which} ${how}.` : `${which} ${how}: ${message.replace(/\.$/, '')}.`;
}

/** Summarizes all requests, with a line for each that was not sent. */
function describeAll({ sent, held, steps }: Run, failed: number): string {
  const rows = held.map(each => `Not sent: ${describeHeld(steps, each)}`);
  return [`Sent ${sent.length} of ${countRequests(steps.length)}; ${failed} of them failed.`, ...rows].join(
    '\n',
  );
}

function describeHeld(steps: readonly Step[], { at, held }: HeldStep): string {
  const line = (steps[at]?.position.line ?? 0) + 1;
  const which = `request ${at + 1} of ${steps.length}, line ${line}`;
  return held ? `${which}. ${held.reason}` : `${which}, which was not sent.`;
}

function countRequests(count: number): string {
  return count === 1 ? '1 request' : `${count} requests`;
}
