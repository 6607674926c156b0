import { window } from 'vscode';
import type { EnvironmentList, EnvironmentService } from '../../services/agent-service.ts';
import { readLanguage } from '../../targets/arguments.ts';
import type { DisposableStore } from '../../base/dispose.ts';
import { createStatus, drawStatus, type StatusWords } from '../../window/status-bar.ts';

/** Shows in a status bar item the environment whose variables requests use; hides it if there is none to pick. */
export function showEnvironment(store: DisposableStore, environments: EnvironmentService): void {
  const item = createStatus(store, {
    id: 'parley.environment',
    place: 99.5,
    name: 'Parley environment',
    command: 'parley.pickEnvironment',
  });
  let updates = 0;
  const update = async (): Promise<void> => {
    const own = ++updates;
    const isOurs = readLanguage(window.activeTextEditor?.document.languageId ?? '') !== undefined;
    const list = isOurs ? await environments.list() : undefined;
    if (own === updates) drawStatus(item, list && describe(list));
  };
  store.add(window.onDidChangeActiveTextEditor(() => void update()));
  store.add(environments.onDidChange(() => void update()));
  void update();
}

function describe({ names, chosen, problems }: EnvironmentList): StatusWords | undefined {
  if (names.length === 0 && chosen === '') return undefined;
  const text = chosen === '' ? 'No environment' : chosen;
  const icon = problems.length > 0 ? 'warning' : 'symbol-variable';
  const tooltip =
    problems[0] ??
    (chosen === ''
      ? 'Requests use the variables that all environments share. Pick an environment'
      : `Requests use the variables of ${chosen}`);
  return { text, icon, tooltip, label: `Environment of requests: ${text}` };
}
