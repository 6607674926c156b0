import { ThemeColor, type Disposable, type Event, type StatusBarItem } from 'vscode';
import type { CommandName } from './commands/names.ts';
import { DisposableStore } from './dispose.ts';
import { Throttle } from './throttle.ts';
import { setStatusText } from './sinks/labels.ts';

/** What the status bar says of something that runs. */
export interface RunningWords {
  readonly text: string;
  /** The name of the icon before the text. */
  readonly icon: string;
  readonly tooltip: string;
  /** What a screen reader says. */
  readonly label: string;
  /** True where somebody should look. */
  readonly isWarning?: boolean;
}

export interface RunningStatusOptions {
  /** What the menu of the status bar calls the item. */
  readonly name: string;
  /** What a click does: it ends what runs. */
  readonly command: CommandName;
  readonly onDidChange: Event<unknown>;
  /** Undefined where nothing runs. */
  readonly describe: () => RunningWords | undefined;
}

/** A status bar item that stands as long as something runs for this window: a port is open, or something is sent. */
export class RunningStatus implements Disposable {
  readonly #store = new DisposableStore();
  readonly #item: StatusBarItem;
  readonly #describe: () => RunningWords | undefined;

  /** Owns the item from now on. */
  constructor(item: StatusBarItem, { name, command, onDidChange, describe }: RunningStatusOptions) {
    this.#item = this.#store.add(item);
    this.#item.name = name;
    this.#item.command = command;
    this.#describe = describe;
    const redraw = this.#store.add(new Throttle(() => this.#update()));
    this.#store.add(onDidChange(() => redraw.request()));
  }

  dispose(): void {
    this.#store.dispose();
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
