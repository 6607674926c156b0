import { window, type Disposable, type StatusBarItem } from 'vscode';
import type { AgentService } from './agent-service.ts';
import { languageOf } from './choose-agent.ts';
import { readLanguage } from './commands/arguments.ts';
import type { CommandName } from './commands/names.ts';
import { DisposableStore } from './dispose.ts';
import type { PickedAgents } from './picked-agents.ts';

const PICK_AGENT: CommandName = 'parley.pickAgent';

/** The status bar item: the agent that requests of the file in front go to where nothing above them names one. */
export class AgentStatus implements Disposable {
  readonly #agents: AgentService;
  readonly #picked: PickedAgents;
  readonly #store = new DisposableStore();
  readonly #item: StatusBarItem;
  #updates = 0;

  /** Owns the item from now on. */
  constructor(agents: AgentService, picked: PickedAgents, item: StatusBarItem) {
    this.#agents = agents;
    this.#picked = picked;
    this.#item = this.#store.add(item);
    this.#item.name = 'Parley agent';
    this.#item.command = PICK_AGENT;
    const update = (): void => void this.#update();
    for (const event of [window.onDidChangeActiveTextEditor, agents.onDidChange, picked.onDidChange]) {
      this.#store.add(event(update));
    }
    update();
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #update(): Promise<void> {
    const update = ++this.#updates;
    const language = readLanguage(window.activeTextEditor?.document.languageId ?? '');
    if (!language) {
      this.#item.hide();
      return;
    }
    const { agents } = await this.#agents.list();
    // The files may be slow: what is in front meanwhile has been updated for already.
    if (update !== this.#updates) return;
    const able = agents.filter(agent => languageOf(agent.protocol) === language).map(agent => agent.name);
    const picked = this.#picked.get(language);
    const name = able.length === 1 ? able[0] : able.find(candidate => candidate === picked);
    this.#item.text = `$(radio-tower) ${name ?? 'Pick agent'}`;
    this.#item.tooltip = name
      ? `Requests go to ${name} unless a line above them names another agent`
      : 'Pick the agent that requests go to';
    this.#item.accessibilityInformation = {
      label: name ? `Requests go to ${name}` : 'Pick the agent that requests go to',
    };
    this.#item.show();
  }
}
