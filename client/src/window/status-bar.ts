import { StatusBarAlignment, ThemeColor, window, type Event, type StatusBarItem } from 'vscode';
import type { CommandName } from '../features/manifests.ts';
import type { DisposableStore } from '../base/dispose.ts';
import { Throttle } from '../base/throttle.ts';
import { setStatusText } from './sinks/labels.ts';

/** The content of a status bar item. */
export interface StatusWords {
  readonly text: string;
  /** The name of the icon before the text. */
  readonly icon?: string;
  readonly tooltip: string;
  /** The label for screen readers. */
  readonly label: string;
  /** True to highlight the item as a warning. */
  readonly isWarning?: boolean;
}

interface StatusPlace {
  readonly id: string;
  /** The items of a higher place are farther to the left. */
  readonly place: number;
  /** The name of the item in the status bar's menu. */
  readonly name: string;
  /** The command of a click. */
  readonly command: CommandName;
  readonly arguments?: unknown[];
}

interface RunningStatus extends StatusPlace {
  readonly onDidChange: Event<unknown>;
  /** Returns undefined if nothing is running. */
  readonly describe: () => StatusWords | undefined;
}

/** Creates a status bar item, which is hidden until it is drawn. */
export function createStatus(store: DisposableStore, status: StatusPlace): StatusBarItem {
  const { id, place, name, command } = status;
  const item = store.add(window.createStatusBarItem(id, StatusBarAlignment.Right, place));
  item.name = name;
  item.command = { command, title: name, arguments: status.arguments ?? [] };
  return item;
}

/** Shows a status bar item while something is running for this window, such as an open port. A click stops it. */
export function showWhileRunning(store: DisposableStore, status: RunningStatus): void {
  const item = createStatus(store, status);
  const redraw = store.add(new Throttle(() => drawStatus(item, status.describe())));
  store.add(status.onDidChange(() => redraw.request()));
}

/** Draws a status bar item, or hides it without words. */
export function drawStatus(item: StatusBarItem, words: StatusWords | undefined): void {
  if (!words) return item.hide();
  const { text, icon, tooltip, label, isWarning = false } = words;
  setStatusText(item, text, icon);
  item.tooltip = tooltip;
  item.accessibilityInformation = { label, role: 'button' };
  item.backgroundColor = isWarning ? new ThemeColor('statusBarItem.warningBackground') : undefined;
  item.show();
}
