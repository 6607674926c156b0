import { StatusBarAlignment, ThemeColor, window, type Event, type StatusBarItem } from 'vscode';
import type { CommandName } from '../features/manifests.ts';
import type { DisposableStore } from '../base/dispose.ts';
import { Throttle } from '../base/throttle.ts';
import { setStatusText } from './sinks/labels.ts';

/** The content of the status bar item. */
export interface RunningWords {
  readonly text: string;
  /** The name of the icon before the text. */
  readonly icon: string;
  readonly tooltip: string;
  /** The label for screen readers. */
  readonly label: string;
  /** True to highlight the item as a warning. */
  readonly isWarning?: boolean;
}

interface RunningStatus {
  readonly id: string;
  /** The items of a higher place are farther to the left. */
  readonly place: number;
  /** The name of the item in the status bar's menu. */
  readonly name: string;
  /** The command of a click, which stops what is running. */
  readonly command: CommandName;
  readonly arguments?: unknown[];
  readonly onDidChange: Event<unknown>;
  /** Returns undefined if nothing is running. */
  readonly describe: () => RunningWords | undefined;
}

/** Shows a status bar item while something is running for this window, such as an open port. */
export function showWhileRunning(store: DisposableStore, status: RunningStatus): void {
  const { id, place, name, command, onDidChange, describe } = status;
  const item = store.add(window.createStatusBarItem(id, StatusBarAlignment.Right, place));
  item.name = name;
  item.command = { command, title: name, arguments: status.arguments ?? [] };
  const redraw = store.add(new Throttle(() => update(item, describe())));
  store.add(onDidChange(() => redraw.request()));
}

function update(item: StatusBarItem, words: RunningWords | undefined): void {
  if (!words) return item.hide();
  const { text, icon, tooltip, label, isWarning = false } = words;
  setStatusText(item, text, icon);
  item.tooltip = tooltip;
  item.accessibilityInformation = { label, role: 'button' };
  item.backgroundColor = isWarning ? new ThemeColor('statusBarItem.warningBackground') : undefined;
  item.show();
}
