import { ThemeIcon, type QuickPickItem } from 'vscode';
import { LANGUAGES, type LanguageId } from '../../../core/catalog/languages.ts';
import { protocolRow } from '../../../core/catalog/protocols.ts';
import { quote } from '../../../core/text/quote.ts';
import type { AgentInfo, AgentList, AgentsProblem } from './agent-service.ts';
import { describeAddress } from './describe-address.ts';
import type { PickedAgents } from './picked-agents.ts';
import { pickItem } from '../window/sinks/quick-input.ts';

/** The agent for a request, a problem sentence if there is none, or undefined if the user cancelled. */
export type Choice = { readonly agent: AgentInfo } | { readonly problem: string } | undefined;

/**
 * Chooses the agent for a request: the one in its directive, else the one picked before, else the only one
 * that speaks its language, else one that the user picks now.
 */
export async function chooseAgent(
  list: AgentList,
  language: LanguageId,
  named: string | undefined,
  picked: PickedAgents,
): Promise<Choice> {
  if (named !== undefined) return checkNamed(list, named);
  if (list.agents.length === 0) return { problem: describeNone(list, language) };
  const agent = findUsual(list.agents, language, picked) ?? (await pickAgent(list.agents, language, picked));
  return agent && { agent };
}

/**
 * The default agent for requests of a language: the one picked before, else the only one that speaks it, else
 * the only one at all.
 */
export function findUsual(
  agents: readonly AgentInfo[],
  language: LanguageId,
  picked: PickedAgents,
): AgentInfo | undefined {
  const before = agents.find(agent => agent.name === picked.get(language));
  if (before) return before;
  const own = agents.filter(agent => protocolRow(agent.protocol).language === language);
  const [only, ...others] = own.length > 0 ? own : agents;
  return others.length === 0 ? only : undefined;
}

/** Asks the user for an agent and stores the choice. Returns undefined if the user cancels. */
export async function pickAgent(
  agents: readonly AgentInfo[],
  language: LanguageId,
  picked: PickedAgents,
): Promise<AgentInfo | undefined> {
  // Agents that speak the language are listed first; for others, requests are converted.
  const isOwn = (agent: AgentInfo): boolean => protocolRow(agent.protocol).language === language;
  const ordered = [...agents.filter(isOwn), ...agents.filter(agent => !isOwn(agent))];
  const items = ordered.map(agent => toItem(agent, picked.get(language)));
  const chosen = await pickItem(items, {
    title: `Agent for ${titleOf(language)} requests`,
    placeHolder: 'Requests without a line # @agent NAME above them go to this agent',
    matchOnDescription: true,
  });
  if (chosen) await picked.set(language, chosen.agent.name);
  return chosen?.agent;
}

function checkNamed(list: AgentList, named: string): Choice {
  const agent = list.agents.find(candidate => candidate.name === named);
  return agent ? { agent } : { problem: describeMissing(list, named) };
}

/** Explains why there is no agent with a name: a fault of its entry, a fault of the file, or no entry at all. */
function describeMissing({ problems }: AgentList, named: string): string {
  const own = problems.find(problem => problem.agent === named);
  if (own) return `${describeProblem(own)}.`;
  const common = problems.find(problem => problem.agent === undefined);
  const missing = `No agent is called ${quote(named)}.`;
  return common
    ? `${missing} The agents file has a fault in ${describeProblem(common)}.`
    : `${missing} Add it to .vscode/agents.json, or name another one above the request.`;
}

function describeProblem({ message, line, agent }: AgentsProblem): string {
  return agent === undefined
    ? `line ${line + 1}: ${message}`
    : `${message} (line ${line + 1} of agents.json)`;
}

function describeNone(list: AgentList, language: LanguageId): string {
  const [problem] = list.problems;
  if (list.agents.length === 0 && problem)
    return `The agents file cannot be used, line ${problem.line + 1}: ${problem.message}.`;
  return `There is no agent for ${titleOf(language)} requests yet. Add one to .vscode/agents.json.`;
}

function toItem(
  agent: AgentInfo,
  current: string | undefined,
): QuickPickItem & { readonly agent: AgentInfo } {
  return {
    label: agent.name,
    description: `${agent.protocol} · ${describeAddress(agent)}`,
    iconPath: new ThemeIcon(agent.name === current ? 'check' : 'radio-tower'),
    agent,
  };
}

function titleOf(language: LanguageId): string {
  return LANGUAGES.find(row => row.id === language)?.title ?? language;
}
