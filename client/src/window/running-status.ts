import { ThemeColor, type Event, type StatusBarItem } from 'vscode';
import type { CommandName } from '../features/manifests.ts';
import { Owner } from '../base/dispose.ts';
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

export interface RunningStatusOptions {
  /** The name of the item in the status bar's menu. */
  readonly name: string;
  /** The command of a click, which stops what is running. */
  readonly command: CommandName;
  readonly arguments?: unknown[];
  readonly onDidChange: Event<unknown>;
  /** Returns undefined if nothing is running. */
  readonly describe: () => RunningWords | undefined;
}

/** A status bar item that is visible while something is running for this window, such as an open port. */
export class RunningStatus extends Owner {
  readonly #item: StatusBarItem;
  readonly #describe: () => RunningWords | undefined;

  /** Takes ownership of the item. */
  constructor(item: StatusBarItem, options: RunningStatusOptions) {
    super();
    const { name, command, onDidChange, describe } = options;
    this.#item = this.own(item);
    this.#item.name = name;
    this.#item.command = { command, title: name, arguments: options.arguments ?? [] };
    this.#describe = describe;
    const redraw = this.own(new Throttle(() => this.#update()));
    this.own(onDidChange(() => redraw.request()));
  }

  #update(): void {
    const words = this.#describe();
    if (!words) {
      this.#item.hide();
      return;
    }
    const { text, icon, tooltip, label, isWarning = false } = words;
    setStatusText(this.#item, text, icon);
    this.#item.tooltip = tooltip;
    this.#item.accessibilityInformation = { label, role: 'button' };
    this.#item.backgroundColor = isWarning ? new ThemeColor('statusBarItem.warningBackground') : undefined;
    this.#item.show();
  }
}
