import { commands, ProgressLocation, type Uri } from 'vscode';
import type { LinePosition } from '../../../../core/text/source-text.ts';
import { mayGoAnyway, SEND_ANYWAY, type Held } from '../../sending/held.ts';
import { type Actions, showInformation, showWarning, withProgress } from '../../window/messages.ts';
import type { Sent } from '../../sending/run-call.ts';
import { sendAt, type SendOptions } from '../../sending/send.ts';
import type { Shared } from '../feature.ts';
import { countRequests, describeAll, describeEnd, type RunResult } from './run-words.ts';

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
  const steps = positions.map(position => ({ position, errors: 'hold' as const }));
  return sendSteps(services, uri, steps, onFailure);
}

interface Step extends Pick<SendOptions, 'errors'> {
  readonly position: LinePosition;
}

interface Run extends RunResult {
  readonly uri: Uri;
  readonly steps: readonly Step[];
  readonly onFailure: OnFailure;
  readonly held: readonly (RunResult['held'][number] & { readonly held: Held | undefined })[];
}

async function sendSteps(
  services: Shared,
  uri: Uri,
  steps: readonly Step[],
  onFailure: OnFailure,
): Promise<SentMany> {
  const stop = new AbortController();
  const sent: Sent[] = [];
  const failed: Run['failed'][number][] = [];
  const held: Run['held'][number][] = [];
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
      const isFine = !why && result?.outcome.status === 'ok';
      if (why || !result) held.push({ at, held: why });
      else {
        sent.push(result);
        if (!isFine) failed.push({ at, outcome: result.outcome });
      }
      if (!isFine && (onFailure === 'stop' || stop.signal.aborted)) return at + 1;
    }
    return steps.length;
  });
  const run: Run = { uri, steps, onFailure, sent, failed, held, next };
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
  const { sent, failed, held, steps, next } = run;
  if (failed.length === 0 && sent.length === steps.length)
    return showInformation(`Sent ${countRequests(steps.length)}; each was answered.`, new Map([TRACES]));
  const words = next < steps.length || run.onFailure === 'stop' ? describeEnd(run) : describeAll(run);
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
  anyway: Run['held'],
): [string, () => unknown][] {
  const rest = steps.slice(next);
  const forced = anyway
    .flatMap(({ at }) => steps[at] ?? [])
    .map(step => ({ ...step, errors: 'send' as const }));
  const ways: [string, () => unknown][] = [];
  if (forced.length > 0)
    ways.push([SEND_ANYWAY, () => sendSteps(services, uri, [...forced, ...rest], onFailure)]);
  if (rest.length > 0) {
    const label = rest.length === 1 ? 'Send the last one' : `Send the other ${rest.length}`;
    ways.push([label, () => sendSteps(services, uri, rest, 'stop')]);
  }
  return ways;
}
