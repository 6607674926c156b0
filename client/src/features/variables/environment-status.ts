import { window, type StatusBarItem } from 'vscode';
import type { EnvironmentService } from '../../services/agent-service.ts';
import { readLanguage } from '../../targets/arguments.ts';
import type { CommandName } from '../manifests.ts';
import { Owner } from '../../base/dispose.ts';
import { setStatusText } from '../../window/sinks/labels.ts';

const PICK_ENVIRONMENT: CommandName = 'parley.pickEnvironment';

/** The status bar item with the environment whose variables requests use. Hidden if there is none to pick. */
export class EnvironmentStatus extends Owner {
  readonly #environments: EnvironmentService;
  readonly #item: StatusBarItem;
  #updates = 0;

  /** Takes ownership of the item. */
  constructor(environments: EnvironmentService, item: StatusBarItem) {
    super();
    this.#environments = environments;
    this.#item = this.own(item);
    this.#item.name = 'Parley environment';
    this.#item.command = PICK_ENVIRONMENT;
    const update = (): void => void this.#update();
    this.own(window.onDidChangeActiveTextEditor(update));
    this.own(environments.onDidChange(update));
    update();
  }

  async #update(): Promise<void> {
    const update = ++this.#updates;
    const isOurs = readLanguage(window.activeTextEditor?.document.languageId ?? '') !== undefined;
    const list = isOurs ? await this.#environments.list() : undefined;
    if (update !== this.#updates) return;
    if (!list || (list.names.length === 0 && list.chosen === '')) return this.#item.hide();
    const { chosen, problems } = list;
    const icon = problems.length > 0 ? 'warning' : 'symbol-variable';
    const label = chosen === '' ? 'No environment' : chosen;
    setStatusText(this.#item, label, icon);
    this.#item.tooltip =
      problems[0] ??
      (chosen === ''
        ? 'Requests use the variables that all environments share. Pick an environment'
        : `Requests use the variables of ${chosen}`);
    this.#item.accessibilityInformation = { label: `Environment of requests: ${label}` };
    this.#item.show();
  }
}
