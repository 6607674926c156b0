import { countOf } from '../../../../../core/text/count.ts';
import { quote } from '../../../../../core/text/quote.ts';
import { describeNeed, listNeeds, type SecretNeed } from '../../../../../trace/replay/replay-secrets.ts';
import type { AgentInfo, AgentService } from '../../../services/agent-service.ts';
import { showWarning } from '../../../window/messages.ts';
import { holesFor, type Sending } from './receivers.ts';
import { askText } from '../../../window/sinks/quick-input.ts';

/** The secrets of a replay by receiving agent. They are never stored. */
export type ReplaySecrets = (agent: AgentInfo, need: SecretNeed) => string | undefined;

/**
 * Finds the secrets of recorded requests, by the name in the recording or by asking the user, once per agent
 * and secret. Returns undefined if one has no value, after a warning, or if the user cancels.
 */
export async function findSecrets(
  agents: AgentService,
  sendings: readonly Sending[],
): Promise<ReplaySecrets | undefined> {
  const values = new Map<string, string>();
  for (const agent of new Set(sendings.map(each => each.agent))) {
    const { holes, count } = holesFor(agent, sendings);
    for (const need of listNeeds(holes)) {
      const { kind, name } = need;
      const value =
        kind === 'unnamed'
          ? await askValue(agent, need, count)
          : await agents.findRecorded(agent.name, kind, name);
      if (kind === 'env' && value === '')
        showWarning(
          `Nothing was sent: the environment variable ${quote(name)} has no value. Set it and start again.`,
        );
      if (!value) return undefined;
      values.set(keyOf(agent, need), value);
    }
  }
  return (agent, need) => values.get(keyOf(agent, need));
}

async function askValue(agent: AgentInfo, need: SecretNeed, requests: number): Promise<string | undefined> {
  return askText({
    title: `Secret for ${agent.name}`,
    prompt: `Type ${describeNeed(need)}. It was in ${countOf(requests, 'recorded request')}, and the recording contains neither it nor its name. It is used for this replay only and not stored.`,
    password: true,
    ignoreFocusOut: true,
  });
}

function keyOf(agent: AgentInfo, { kind, name }: SecretNeed): string {
  return JSON.stringify([agent.name, kind, name]);
}
