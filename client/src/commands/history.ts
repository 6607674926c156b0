import { compareReplies, openReply, openRequest, sendAgain as sendEntry } from '../history/actions.ts';
import type { HistoryEntry } from '../history/entry.ts';
import { pickFromHistory, pickOther, type HistoryChoice } from '../history/history-pick.ts';
import { runCommand, showWarning } from '../messages.ts';
import { findRetryDelay, sendAfter } from '../sending/retry.ts';
import type { Services } from '../services.ts';
import { readCall } from './targets/arguments.ts';
import type { Command } from './command.ts';

const NOTHING = 'Nothing was sent from this workspace yet.';

/**
 * Lists the sent requests with their replies, which can be opened, sent again or compared. Returns the
 * outcome of what was sent again.
 */
export const showHistory: Command = async services => {
  const entries = await services.history.list();
  if (entries.length === 0) {
    showWarning(NOTHING, new Map());
    return undefined;
  }
  const choice = await pickFromHistory(entries, Date.now(), isTracedIn(services));
  return choice && act(services, choice, entries);
};

/** Sends a request of the history again: that of a call, or the last one. Returns its outcome. */
export const sendAgain: Command = async (services, [target]) => {
  const call = readCall(target);
  const entries = await services.history.list();
  const entry = call === undefined ? entries[0] : entries.find(each => each.call === call);
  if (entry) {
    const delay = findRetryDelay(services.traces.findCall(entry.call)?.node, Date.now());
    return sendAfter(delay, entry.agent, () => sendEntry(services, entry));
  }
  showWarning(call === undefined ? NOTHING : 'The request of this call is no longer stored.', new Map());
  return undefined;
};

/** Compares the replies of two calls in the diff editor: those of the arguments, or picked ones. */
export const compareSentReplies: Command = async (services, [one, other]) => {
  const entries = await services.history.list();
  const find = (target: unknown): HistoryEntry | undefined =>
    entries.find(each => each.call === readCall(target));
  const first = find(one) ?? (await pickFromHistory(entries, Date.now(), isTracedIn(services)))?.entry;
  const second = first && (find(other) ?? (await pickOther(entries, first, Date.now())));
  if (second) await compareReplies(services, first, second);
};

/** Clears the history. */
export const clearHistory: Command = ({ history }) => history.clear();

/** Only the traces of this window contain the bytes of a call. */
function isTracedIn({ traces }: Services): (call: string) => boolean {
  return call => traces.findCall(call) !== undefined;
}

async function act(
  services: Services,
  { entry, step }: HistoryChoice,
  entries: readonly HistoryEntry[],
): Promise<unknown> {
  switch (step) {
    case 'open':
      return openReply(services, entry);
    case 'request':
      return openRequest(entry);
    case 'again':
      return sendEntry(services, entry);
    case 'raw':
      return runCommand('parley.showRaw', entry.call);
    case 'compare': {
      const other = await pickOther(entries, entry, Date.now());
      return other && compareReplies(services, entry, other);
    }
  }
}
