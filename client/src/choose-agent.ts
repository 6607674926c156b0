import { ThemeIcon, window, type QuickPickItem } from 'vscode';
import { LANGUAGES, type LanguageId } from '../../protocol/src/catalog/languages.ts';
import { PROTOCOLS, type ProtocolName } from '../../protocol/src/catalog/protocols.ts';
import { quote } from '../../protocol/src/text/quote.ts';
import type { AgentInfo, AgentList, AgentsProblem } from './agent-service.ts';
import type { PickedAgents } from './picked-agents.ts';

/** The agent for a request; a sentence for people where there is none; or undefined where the user left the choice. */
export type Choice = { readonly agent: AgentInfo } | { readonly problem: string } | undefined;

/**
 * The agent that a request goes to: the one that its directive names, else the only one that speaks its language,
 * else the one picked before, else one that the user picks now.
 */
export async function chooseAgent(
  list: AgentList,
  language: LanguageId,
  named: string | undefined,
  picked: PickedAgents,
): Promise<Choice> {
  if (named !== undefined) return checkNamed(list, language, named);
  const able = list.agents.filter(agent => languageOf(agent.protocol) === language);
  const [first, ...others] = able;
  if (!first) return { problem: describeNone(list, language) };
  const before = able.find(agent => agent.name === picked.get(language));
  const agent = others.length === 0 ? first : (before ?? (await pickAgent(able, language, picked)));
  return agent && { agent };
}

/** Asks for an agent and remembers the answer. Undefined where the user left. */
export async function pickAgent(
  agents: readonly AgentInfo[],
  language: LanguageId,
  picked: PickedAgents,
): Promise<AgentInfo | undefined> {
  const items = agents.map(agent => toItem(agent, picked.get(language)));
  const chosen = await window.showQuickPick(items, {
    title: `Agent for ${titleOf(language)} requests`,
    placeHolder: 'Requests without a line # @agent NAME above them go to this agent',
    matchOnDescription: true,
  });
  if (chosen) await picked.set(language, chosen.agent.name);
  return chosen?.agent;
}

/** The language of a protocol's messages. */
export function languageOf(protocol: ProtocolName): LanguageId | undefined {
  return PROTOCOLS.find(row => row.name === protocol)?.language;
}

/** Where an agent is, for people: which port a demo agent listens at says nothing. */
export function describeAddress({ address }: AgentInfo): string {
  return /^\$\{demo:[^}]*\}$/.test(address) ? 'demo agent' : address;
}

function checkNamed(list: AgentList, language: LanguageId, named: string): Choice {
  const agent = list.agents.find(candidate => candidate.name === named);
  if (!agent) return { problem: describeMissing(list, named) };
  if (languageOf(agent.protocol) === language) return { agent };
  const speaks = PROTOCOLS.find(row => row.name === agent.protocol)?.title ?? agent.protocol;
  return {
    problem: `The agent ${quote(named)} speaks ${speaks}, and this request is ${titleOf(language)}. Name an agent that speaks it.`,
  };
}

/** Why there is no agent of a name: its own entry's fault, else one of the file, else it was never added. */
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
  return `No agent speaks ${titleOf(language)} yet. Add one to .vscode/agents.json.`;
}

function toItem(
  agent: AgentInfo,
  current: string | undefined,
): QuickPickItem & { readonly agent: AgentInfo } {
  return {
    label: agent.name,
    description: describeAddress(agent),
    iconPath: new ThemeIcon(agent.name === current ? 'check' : 'radio-tower'),
    agent,
  };
}

function titleOf(language: LanguageId): string {
  return LANGUAGES.find(row => row.id === language)?.title ?? language;
}
