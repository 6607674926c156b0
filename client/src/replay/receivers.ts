import type { LanguageId } from '../../../core/catalog/languages.ts';
import { writeForAgent } from '../../../trace/replay/replay-request.ts';
import type { ReplayPlan, ReplayRequest } from '../../../trace/replay/replay.ts';
import type { AgentInfo } from '../agent-service.ts';

/** A recorded request, who gets it, and as what. */
export interface Sending {
  readonly request: ReplayRequest;
  readonly agent: AgentInfo;
  readonly text: string;
  /** The language of the text; undefined for the agent's own protocol. */
  readonly language: LanguageId | undefined;
  /** What a conversion loses, each as `place: reason`. */
  readonly losses: readonly string[];
}

/** What is sent to whom, and what is not. */
export interface Sendings {
  readonly sendings: readonly Sending[];
  readonly unsent: ReplayPlan['refused'];
}

/** Finds who gets the requests of a plan: the agent that was chosen, else for each the one of the recorded name. */
export function findReceivers(
  { requests, refused }: ReplayPlan,
  agents: readonly AgentInfo[],
  chosen: AgentInfo | undefined,
): Sendings {
  const sendings: Sending[] = [];
  const unsent = [...refused];
  for (const request of requests) {
    const { recorded, protocol, text } = request;
    const agent = chosen ?? agents.find(({ name }) => name === recorded.call.agent);
    if (!agent) {
      unsent.push({ recorded, reason: 'the agents file names no agent of this name' });
      continue;
    }
    const written = writeForAgent(text, protocol, agent.protocol);
    if (written.ok) sendings.push({ request, agent, ...written });
    else unsent.push({ recorded, reason: written.reason });
  }
  return { sendings, unsent };
}

/** The holes in requests to an agent, and how many requests have any. */
export function holesFor(
  agent: AgentInfo,
  sendings: readonly Sending[],
): { readonly holes: Sending['request']['holes']; readonly count: number } {
  const own = sendings.filter(each => each.agent === agent && each.request.holes.length > 0);
  return { holes: own.flatMap(({ request }) => request.holes), count: own.length };
}
