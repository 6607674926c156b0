import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import { isMessageLanguage, LANGUAGES } from '../../../../core/catalog/languages.ts';
import { isPublished } from '../../../../protocols/convert/calls/answer.ts';
import { toLiveTools, type AgentToolsParams, type LiveAgent } from '../../../../wire/live-tools.ts';
import type { AgentInfo, AgentService } from '../../services/agent-service.ts';
import { findUsual } from '../../services/choose-agent.ts';
import type { DisposableStore } from '../../base/dispose.ts';
import { describeError } from '../../base/log.ts';
import type { PickedAgents } from '../../services/picked-agents.ts';
import type { Shared } from '../feature.ts';

/** Keeps the language server informed about the tools of agents and the default agents. */
export function keepAgentTools(
  store: DisposableStore,
  { server, log, picked }: Pick<Shared, 'server' | 'log' | 'picked'>,
  agents: AgentService,
): void {
  let reported = EMPTY;
  let turn = Promise.resolve();
  const report = async (): Promise<void> => {
    const known = listKnown((await agents.list()).agents, agents, picked);
    const text = JSON.stringify(known);
    // In most windows no agent was asked, so no notification is sent.
    if (text === reported) return;
    reported = text;
    await server.setAgentTools(known);
  };
  const run = (): void => {
    // Runs are sequential, so that the last notification has the latest state.
    turn = turn.then(report).catch((error: unknown) => log.error(describeError(error)));
  };
  for (const event of [agents.onDidChange, agents.onDidChangeCapabilities, picked.onDidChange])
    store.add(event(run));
}

const EMPTY = JSON.stringify({ agents: [], usual: {} });

function listKnown(
  infos: readonly AgentInfo[],
  agents: AgentService,
  picked: PickedAgents,
): AgentToolsParams {
  const known = infos.flatMap(({ name, protocol }): readonly LiveAgent[] => {
    const { tools, at, peer } = agents.capabilities(name);
    if (!tools || at === undefined) return [];
    const known = ALL_PROTOCOLS.find(protocol);
    const methods = known?.calls.listMethods?.(peer?.capabilities ?? []) ?? [];
    const callable = [
      ...tools,
      ...methods
        .filter(method => !tools.some(tool => tool.name === method.name))
        .map(declaration => ({ name: declaration.name, declaration, schema: undefined })),
    ];
    const isOpen = known !== undefined && isPublished(known, 'list');
    return [{ name, at, tools: toLiveTools(callable), ...(isOpen ? { isOpen } : {}) }];
  });
  const usual = LANGUAGES.flatMap(({ id }) => {
    // Only requests that call tools by their names are checked by these.
    const known = isMessageLanguage(id) ? infos : infos.filter(info => callsTools(info.protocol));
    const agent = findUsual(known, id, picked);
    return agent ? [[id, agent.name] as const] : [];
  });
  return known.length === 0 ? { agents: [], usual: {} } : { agents: known, usual: Object.fromEntries(usual) };
}

/** True for a protocol whose requests in JSON call tools by their names. */
function callsTools(protocol: string): boolean {
  return ALL_PROTOCOLS.find(protocol)?.facts.requests?.tool !== undefined;
}
