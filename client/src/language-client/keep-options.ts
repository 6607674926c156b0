import { workspace } from 'vscode';
import type { DisposableStore } from '../base/dispose.ts';
import type { EnvironmentVariable } from '../../../language/variables/scope.ts';
import { describeError } from '../base/log.ts';
import type { Calling } from '../sending/calling.ts';
import type { DialectChoices } from './dialect-choices.ts';
import type { ServerOptions } from '../../../wire/server-messages.ts';

/**
 * Keeps the language server informed about options that can change: whether sending is possible, the agents,
 * and the chosen dialects.
 */
export function keepOptions(
  store: DisposableStore,
  {
    server,
    agents,
    log,
    dialects,
  }: Pick<Calling, 'server' | 'agents' | 'log'> & { readonly dialects: DialectChoices },
  may: () => Pick<ServerOptions, 'canSend' | 'needsTrust'>,
): void {
  let names: readonly string[] = [];
  let environment: readonly EnvironmentVariable[] = [];
  const report = (): Promise<void> =>
    server.setOptions({
      ...may(),
      canInspect: true,
      canShowMedia: true,
      canConvert: true,
      agents: names,
      dialects: dialects.all(),
      showsDialects: true,
      environment,
      secrets: agents?.listSecrets() ?? [],
    });
  // Files are read at each change, and an earlier reading may end after a later one.
  let readings = 0;
  const read = async (): Promise<void> => {
    const reading = ++readings;
    const found = (await agents?.list())?.agents.map(agent => agent.name) ?? [];
    if (reading !== readings || found.join('\n') === names.join('\n')) return;
    names = found;
    await report();
  };
  const readEnvironment = async (): Promise<void> => {
    const variables = (await agents?.environments.list())?.variables ?? [];
    if (JSON.stringify(variables) === JSON.stringify(environment)) return;
    environment = variables;
    await report();
  };
  const run = (work: () => Promise<void>): void => {
    work().catch((error: unknown) => log.error(describeError(error)));
  };
  store.add(workspace.onDidGrantWorkspaceTrust(() => run(report)));
  store.add(dialects.onDidChange(() => run(report)));
  if (!agents) return;
  store.add(agents.onDidChange(() => run(read)));
  store.add(agents.environments.onDidChange(() => run(readEnvironment)));
  run(read);
  run(readEnvironment);
}
