import { EventEmitter } from 'vscode';
import { Owner } from '../base/dispose.ts';

/** The agent that the Compose view sends to, which other features may choose. */
export class ComposeTarget extends Owner {
  readonly #changed = this.own(new EventEmitter<'shown' | 'quiet'>());
  #agent = '';

  /** Fires when an agent was chosen; `shown` asks for the view with the focus in its input. */
  readonly onDidChoose = this.#changed.event;

  /** The name of the agent that was chosen last; empty if none was. It may be missing from the agents files. */
  get agent(): string {
    return this.#agent;
  }

  /** Chooses an agent. `shown` also opens the view and puts the focus into its input. */
  choose(agent: string, how: 'shown' | 'quiet'): void {
    this.#agent = agent;
    this.#changed.fire(how);
  }
}
