import { ThemeIcon, type QuickInputButton, type QuickPickItem } from 'vscode';
import { describeOutcome } from '../../../trace/words.ts';
import { STATUS_ICONS } from '../trace/call-item.ts';
import { toOutcome } from './actions.ts';
import type { HistoryEntry } from './entry.ts';
import { createPick, pickItem, showItems } from '../sinks/quick-input.ts';

/** The actions on a request of the history. */
export type HistoryStep = 'open' | 'request' | 'again' | 'compare' | 'raw';

export interface HistoryChoice {
  readonly entry: HistoryEntry;
  readonly step: HistoryStep;
}

interface Row extends QuickPickItem {
  readonly entry: HistoryEntry;
}

const AGAIN: QuickInputButton = { iconPath: new ThemeIcon('refresh'), tooltip: 'Send again' };
const REQUEST: QuickInputButton = { iconPath: new ThemeIcon('go-to-file'), tooltip: 'Open the request' };
const COMPARE: QuickInputButton = {
  iconPath: new ThemeIcon('compare-changes'),
  tooltip: 'Compare the reply with another one',
};

const RAW: QuickInputButton = {
  iconPath: new ThemeIcon('file-binary'),
  tooltip: 'Show the raw reply',
};

const STEPS: ReadonlyMap<QuickInputButton, HistoryStep> = new Map([
  [AGAIN, 'again'],
  [REQUEST, 'request'],
  [COMPARE, 'compare'],
  [RAW, 'raw'],
]);

/**
 * Asks for a request of the history and an action; Enter opens its reply. `isTraced` returns true if the
 * bytes of a call are still stored. Returns undefined if the user cancels.
 */
export function pickFromHistory(
  entries: readonly HistoryEntry[],
  now: number,
  isTraced: (call: string) => boolean,
): Promise<HistoryChoice | undefined> {
  const pick = createPick<Row>();
  pick.title = 'Sent requests';
  pick.placeholder = 'Pick a request to open its reply';
  pick.matchOnDescription = pick.matchOnDetail = true;
  const rows = entries.map(entry => {
    const buttons = [AGAIN, REQUEST, COMPARE, ...(isTraced(entry.call) ? [RAW] : [])];
    return { ...buildRow(entry, now), buttons };
  });
  showItems(pick, rows);
  return new Promise(resolve => {
    const end = (choice: HistoryChoice | undefined): void => {
      resolve(choice);
      pick.dispose();
    };
    pick.onDidAccept(() => {
      const entry = pick.selectedItems[0]?.entry;
      end(entry && { entry, step: 'open' });
    });
    pick.onDidTriggerItemButton(({ item, button }) => {
      const step = STEPS.get(button);
      if (step) end({ entry: item.entry, step });
    });
    pick.onDidHide(() => end(undefined));
    pick.show();
  });
}

/** Asks for the other reply of a comparison. Returns undefined if the user cancels. */
export async function pickOther(
  entries: readonly HistoryEntry[],
  one: HistoryEntry,
  now: number,
): Promise<HistoryEntry | undefined> {
  const others = entries.filter(entry => entry !== one);
  // Replies to the same request are listed first.
  const sorted = [
    ...others.filter(entry => entry.asked === one.asked),
    ...others.filter(entry => entry.asked !== one.asked),
  ];
  const row = await pickItem(
    sorted.map(entry => buildRow(entry, now)),
    { title: `Compare the reply of ${one.title} with`, matchOnDescription: true, matchOnDetail: true },
  );
  return row?.entry;
}

function buildRow(entry: HistoryEntry, now: number): Row {
  return {
    entry,
    label: entry.title,
    iconPath: STATUS_ICONS[entry.status],
    description: `${describeOutcome(toOutcome(entry))} · ${entry.agent} · ${describeTime(entry.at, now)}`,
    detail: entry.asked.slice(0, LOOK).replace(/\s+/g, ' ').slice(0, LONGEST),
  };
}

const LONGEST = 200;
/** The number of characters examined; white space is collapsed. */
const LOOK = 1_000;

/** The time of an entry: the time of day, with the date if it was before today. */
function describeTime(at: number, now: number): string {
  const [then, today] = [new Date(at), new Date(now)];
  const two = (number: number): string => String(number).padStart(2, '0');
  const time = `${two(then.getHours())}:${two(then.getMinutes())}:${two(then.getSeconds())}`;
  if (then.toDateString() === today.toDateString()) return time;
  return `${then.getFullYear()}-${two(then.getMonth() + 1)}-${two(then.getDate())} ${time}`;
}
