import { actOnKey } from '../../shared/keys.ts';
import type { ListedRow, RowList } from './row-list.ts';

/** The factor of the visible time for a step of zooming out, and its share for a step to the side. */
export const ZOOM = 1.5;
const PAN = 0.2;

/** Keyboard actions on the waterfall. */
export interface KeyHost {
  readonly list: RowList;
  /** The index of the selected row after listing all calls that have arrived; -1 if no row is selected. */
  selectedIndex(): number;
  /** The number of rows that one page shows. */
  pageLength(): number;
  choose(row: ListedRow | undefined): void;
  toggle(row: ListedRow): void;
  toggleParts(row: ListedRow | undefined): void;
  unfoldAll(row: ListedRow | undefined): void;
  /** Zooms at the selected call. */
  zoomBy(factor: number): void;
  pan(share: number): void;
  showAllTime(): void;
  openSelected(): void;
  search(): void;
}

/** Runs the action of a key that was pressed on the rows. */
export function onWaterfallKey(event: KeyboardEvent, host: KeyHost): void {
  const { list } = host;
  const index = host.selectedIndex();
  const row = list.at(index);
  const page = host.pageLength();
  const move = (by: number) => (): void =>
    host.choose(list.at(Math.max(0, Math.min(list.length - 1, index + by))));
  const zoom = (factor: number) => (): void => host.zoomBy(factor);
  const actions = new Map<string, () => unknown>([
    ['ArrowUp', move(-1)],
    ['ArrowDown', move(1)],
    ['PageUp', move(-page)],
    ['PageDown', move(page)],
    ['Home', move(-Infinity)],
    ['End', move(Infinity)],
    ['ArrowLeft', () => (event.shiftKey ? host.pan(-PAN) : stepOut(row, index, host))],
    ['ArrowRight', () => (event.shiftKey ? host.pan(PAN) : stepIn(row, index, host))],
    ['+', zoom(1 / ZOOM)],
    ['=', zoom(1 / ZOOM)],
    ['-', zoom(ZOOM)],
    ['_', zoom(ZOOM)],
    ['0', () => host.showAllTime()],
    ['*', () => host.unfoldAll(row)],
    ['p', () => host.toggleParts(row)],
    ['P', () => host.toggleParts(row)],
    ['Enter', () => host.openSelected()],
    ['/', () => host.search()],
  ]);
  actOnKey(event, actions);
}

/** Opens a row, or goes to the first one below it. */
function stepIn(row: ListedRow | undefined, index: number, host: KeyHost): void {
  if (!row || !host.list.hasBelow(row)) return;
  if (host.list.isFolded(row)) host.toggle(row);
  else host.choose(host.list.at(index + 1));
}

/** Folds a row, or goes to the one above it. */
function stepOut(row: ListedRow | undefined, index: number, host: KeyHost): void {
  if (row && host.list.hasBelow(row) && !host.list.isFolded(row)) host.toggle(row);
  else host.choose(host.list.above(index));
}
