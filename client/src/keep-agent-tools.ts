import { ALL_PROTOCOLS } from '../../protocols/all.ts';
import { LANGUAGES } from '../../core/catalog/languages.ts';
import { isPublished } from '../../protocols/convert/calls/published.ts';
import type { AgentToolsParams, LiveAgent, LiveTool } from '../../wire/live-tools.ts';
import type { AgentInfo, AgentService, ToolInfo } from './agent-service.ts';
import { findUsual } from './choose-agent.ts';
import type { DisposableStore } from './dispose.ts';
import { describeError } from './log.ts';
import type { PickedAgents } from './picked-agents.ts';
import type { Services } from './services.ts';

/** Tells the server what agents said of their tools, and whom requests go to where nothing above them names one. */
export function keepAgentTools(
  store: DisposableStore,
  { server, log, picked }: Pick<Services, 'server' | 'log' | 'picked'>,
  agents: AgentService,
): void {
  let told = EMPTY;
  let turn = Promise.resolve();
  const tell = async (): Promise<void> => {
    const known = listKnown((await agents.list()).agents, agents, picked);
    const text = JSON.stringify(known);
    // An agent that was never asked says nothing: most windows tell nothing at all.
    if (text === told) return;
    told = text;
    await server.setAgentTools(known);
  };
  const run = (): void => {
    // One after the other: what is told last is what is known last.
    turn = turn.then(tell).catch((error: unknown) => log.error(describeError(error)));
  };
  for (const event of [agents.onDidChange, agents.onDidChangeOffer, picked.onDidChange])
    store.add(event(run));
}

const EMPTY = JSON.stringify({ agents: [], usual: {} });

function listKnown(
  infos: readonly AgentInfo[],
  agents: AgentService,
  picked: PickedAgents,
): AgentToolsParams {
  const known = infos.flatMap(({ name, protocol }): readonly LiveAgent[] => {
    const { tools, at } = agents.offer(name);
    if (!tools || at === undefined) return [];
    const listed = tools.map(tool => ({ name: tool.name, ...declare(tool) }));
    const known = ALL_PROTOCOLS.find(protocol);
    const isOpen = known !== undefined && isPublished(known, 'list');
    return [{ name, at, tools: listed, ...(isOpen ? { isOpen } : {}) }];
  });
  const usual = LANGUAGES.flatMap(({ id }) => {
    const agent = findUsual(infos, id, picked);
    return agent ? [[id, agent.name] as const] : [];
  });
  return known.length === 0 ? { agents: [], usual: {} } : { agents: known, usual: Object.fromEntries(usual) };
}

function declare({ declaration }: ToolInfo): Pick<LiveTool, 'declaration'> {
  return declaration ? { declaration } : {};
}
