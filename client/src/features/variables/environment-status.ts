import { window, type StatusBarItem } from 'vscode';
import type { EnvironmentList, EnvironmentService } from '../../services/agent-service.ts';
import { readLanguage } from '../../targets/arguments.ts';
import type { CommandName } from '../manifests.ts';
import type { DisposableStore } from '../../base/dispose.ts';
import { setStatusText } from '../../window/sinks/labels.ts';

const PICK_ENVIRONMENT: CommandName = 'parley.pickEnvironment';

/** Shows in a status bar item the environment whose variables requests use; hides it if there is none to pick. */
export function showEnvironment(
  store: DisposableStore,
  item: StatusBarItem,
  environments: EnvironmentService,
): void {
  let updates = 0;
  const update = async (): Promise<void> => {
    const own = ++updates;
    const isOurs = readLanguage(window.activeTextEditor?.document.languageId ?? '') !== undefined;
    const list = isOurs ? await environments.list() : undefined;
    if (own === updates) draw(item, list);
  };
  store.add(item);
  item.name = 'Parley environment';
  item.command = PICK_ENVIRONMENT;
  store.add(window.onDidChangeActiveTextEditor(() => void update()));
  store.add(environments.onDidChange(() => void update()));
  void update();
}

function draw(item: StatusBarItem, list: EnvironmentList | undefined): void {
  if (!list || (list.names.length === 0 && list.chosen === '')) return item.hide();
  const { chosen, problems } = list;
  const label = chosen === '' ? 'No environment' : chosen;
  setStatusText(item, label, problems.length > 0 ? 'warning' : 'symbol-variable');
  item.tooltip =
    problems[0] ??
    (chosen === ''
      ? 'Requests use the variables that all environments share. Pick an environment'
      : `Requests use the variables of ${chosen}`);
  item.accessibilityInformation = { label: `Environment of requests: ${label}` };
  item.show();
}
