import { ALL_PROTOCOLS } from '../../../../../protocols/all.ts';
import type { LanguageId } from '../../../../../core/catalog/languages.ts';
import { writeForAgent } from '../../../../../trace/replay/replay-request.ts';
import type { ReplayPlan, ReplayRequest } from '../../../../../trace/replay/replay.ts';
import type { AgentInfo } from '../../../services/agent-service.ts';

/** A recorded request, its receiver, and the text to send. */
export interface Sending {
  readonly request: ReplayRequest;
  readonly agent: AgentInfo;
  readonly text: string;
  /** The language of the text; undefined for the agent's own protocol. */
  readonly language: LanguageId | undefined;
  /** The losses of the conversion, each as `place: reason`. */
  readonly losses: readonly string[];
}

/** The requests to send, and those that cannot be sent. */
export interface Sendings {
  readonly sendings: readonly Sending[];
  readonly unsent: ReplayPlan['refused'];
}

/** Assigns receivers to the requests of a plan: the chosen agent, else the agent with the recorded name. */
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
      unsent.push({ recorded, reason: 'the agents file has no agent of this name' });
      continue;
    }
    const written = writeForAgent(text, { from: protocol, to: agent.protocol, protocols: ALL_PROTOCOLS });
    if (written.ok) sendings.push({ request, agent, ...written });
    else unsent.push({ recorded, reason: written.reason });
  }
  return { sendings, unsent };
}

/** The missing secrets in the requests to an agent, and the number of requests that have any. */
export function holesFor(
  agent: AgentInfo,
  sendings: readonly Sending[],
): { readonly holes: Sending['request']['holes']; readonly count: number } {
  const own = sendings.filter(each => each.agent === agent && each.request.holes.length > 0);
  return { holes: own.flatMap(({ request }) => request.holes), count: own.length };
}
