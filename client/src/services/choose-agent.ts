import { ThemeIcon, type QuickPickItem } from 'vscode';
import { isMessageLanguage, LANGUAGES, type LanguageId } from '../../../core/catalog/languages.ts';
import { findProtocol, takesRequests } from '../../../core/catalog/protocols.ts';
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
  { language, protocol }: WrittenRequest,
  named: string | undefined,
  picked: PickedAgents,
): Promise<Choice> {
  if (named !== undefined) return checkNamed(list, named, protocol);
  const agents = list.agents.filter(agent => mayTake(agent, { language, protocol }));
  if (agents.length === 0) return { problem: describeNone(list, { language, protocol }) };
  const agent = findUsual(agents, language, picked) ?? (await pickAgent(agents, language, picked));
  return agent && { agent };
}

/** A request, as far as it decides which agents can get it. */
interface WrittenRequest {
  readonly language: LanguageId;
  /** The protocol that it is written for, if it cannot be converted. */
  readonly protocol?: string | undefined;
}

/** True for an agent that a request can be sent to. AICL and AICF are converted, JSON is not. */
function mayTake({ protocol }: AgentInfo, request: WrittenRequest): boolean {
  return isMessageLanguage(request.language) || takesRequests(protocol, request.language, request.protocol);
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
  const own = agents.filter(agent => takesRequests(agent.protocol, language));
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
  const isOwn = (agent: AgentInfo): boolean => takesRequests(agent.protocol, language);
  const ordered = [...agents.filter(isOwn), ...agents.filter(agent => !isOwn(agent))];
  const items = ordered.map(agent => ({
    ...toAgentItem(agent),
    iconPath: new ThemeIcon(agent.name === picked.get(language) ? 'check' : 'radio-tower'),
  }));
  const chosen = await pickItem(items, {
    title: `Agent for ${titleOf(language)} requests`,
    placeHolder: 'Requests without a line # @agent NAME above them are sent to this agent',
    matchOnDescription: true,
  });
  if (chosen) await picked.set(language, chosen.agent.name);
  return chosen?.agent;
}

function checkNamed(list: AgentList, named: string, protocol: string | undefined): Choice {
  const agent = list.agents.find(candidate => candidate.name === named);
  if (!agent) return { problem: describeMissing(list, named) };
  if (protocol === undefined || protocol === agent.protocol) return { agent };
  const [own, other] = [protocol, agent.protocol].map(name => findProtocol(name)?.short ?? name);
  return {
    problem: `The request is one of ${own}, and the agent ${quote(named)} speaks ${other}. Name an agent of ${own}, or write the request in AICL or AICF.`,
  };
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

function describeNone(list: AgentList, { language, protocol }: WrittenRequest): string {
  const [problem] = list.problems;
  if (list.agents.length === 0 && problem)
    return `The agents file cannot be used, line ${problem.line + 1}: ${problem.message}.`;
  const title = findProtocol(protocol)?.short ?? titleOf(language);
  return `There is no agent for ${title} requests yet. Add one to .vscode/agents.json.`;
}

/** An agent in a list to pick from. */
export function toAgentItem(agent: AgentInfo): QuickPickItem & { readonly agent: AgentInfo } {
  return { label: agent.name, description: `${agent.protocol} · ${describeAddress(agent)}`, agent };
}

function titleOf(language: LanguageId): string {
  return LANGUAGES.find(row => row.id === language)?.title ?? language;
}
