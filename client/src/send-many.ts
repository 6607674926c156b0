import { ProgressLocation, window, type Uri } from 'vscode';
import type { LinePosition } from '../../protocol/src/text/line-index.ts';
import { runCommand, showInformation, showWarning } from './messages.ts';
import type { Sent } from './run-call.ts';
import { sendAt } from './send.ts';
import type { Services } from './services.ts';

/** What to do once a request fails. */
export type OnFailure = 'stop' | 'go on';

/** What came of requests that were sent one after the other. */
export interface SentMany {
  readonly sent: readonly Sent[];
  /** How many there were. */
  readonly wanted: number;
}

/**
 * Sends requests of a document one after the other, in order. It ends at the first that fails or that is not sent, unless
 * it is told to go on; the user may stop it, and may send the rest after a failure.
 */
export async function sendMany(
  services: Services,
  uri: Uri,
  positions: readonly LinePosition[],
  onFailure: OnFailure,
): Promise<SentMany> {
  const stopper = new AbortController();
  const wanted = positions.length;
  const sent: Sent[] = [];
  const options = { location: ProgressLocation.Notification, title: 'Sending requests', cancellable: true };
  const next = await window.withProgress(options, async (progress, token) => {
    token.onCancellationRequested(() => stopper.abort());
    for (const [at, position] of positions.entries()) {
      if (stopper.signal.aborted) return at;
      progress.report({ message: `${at + 1} of ${wanted}`, increment: at === 0 ? 0 : 100 / wanted });
      const result = await sendAt(services, uri, position, 'stop', stopper);
      if (result) sent.push(result);
      const isFine = result?.outcome.status === 'ok';
      if (!isFine && (onFailure === 'stop' || stopper.signal.aborted)) return at + 1;
    }
    return wanted;
  });
  tell(services, sent, stopper.signal.aborted ? 'stopped' : 'ended', {
    uri,
    wanted,
    rest: positions.slice(next),
    onFailure,
  });
  return { sent, wanted };
}

interface Rest {
  readonly uri: Uri;
  readonly wanted: number;
  readonly rest: readonly LinePosition[];
  readonly onFailure: OnFailure;
}

function tell(
  services: Services,
  sent: readonly Sent[],
  end: 'ended' | 'stopped',
  { uri, wanted, rest, onFailure }: Rest,
): void {
  const history: [string, () => unknown] = ['Show history', () => runCommand('parley.showHistory')];
  const failed = sent.filter(each => each.outcome.status !== 'ok');
  if (end === 'stopped') {
    showInformation(`Stopped after ${sent.length} of ${countRequests(wanted)}.`, new Map([history]));
    return;
  }
  if (failed.length === 0 && sent.length === wanted) {
    showInformation(`Sent ${countRequests(wanted)}; each was answered.`, new Map([history]));
    return;
  }
  const words =
    rest.length > 0 || onFailure === 'stop'
      ? describeEnd(failed.at(-1), wanted - rest.length, wanted)
      : `Sent ${sent.length} of ${countRequests(wanted)}; ${failed.length} of them failed.`;
  const goOn: [string, () => unknown] = [
    rest.length === 1 ? 'Send the last one' : `Send the other ${rest.length}`,
    () => sendMany(services, uri, rest, 'stop'),
  ];
  const actions = new Map(rest.length > 0 ? [goOn, history] : [history]);
  showWarning(words, actions);
}

/** At which request it ended: one without an outcome was not sent, and the user has read why. */
function describeEnd(failed: Sent | undefined, at: number, wanted: number): string {
  const which = `Request ${at} of ${wanted}`;
  if (!failed) return `${which} was not sent, nor were those after it.`;
  const { status, message } = failed.outcome;
  const how = status === 'error' ? 'failed' : 'did not come to its end';
  return message === undefined ? `${which} ${how}.` : `${which} ${how}: ${message.replace(/\.$/, '')}.`;
}

function countRequests(count: number): string {
  return count === 1 ? '1 request' : `${count} requests`;
}
