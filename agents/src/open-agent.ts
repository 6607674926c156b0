import { Redactor, findCredentials } from '../../protocol/src/trace/redact.ts';
import type { AgentConfig } from './config/agent-config.ts';
import { resolveAgent, type ResolvedAgent } from './config/resolve-agent.ts';
import type { Variables } from './config/variables.ts';
import { connectAgent } from './connect.ts';
import type { Connection } from './connection.ts';
import { RANDOM_IDS, now } from './runtime.ts';
import { trackConnection, type Tracking } from './tracked.ts';

export type OpenedAgent =
  { readonly ok: true; readonly connection: Connection } | { readonly ok: false; readonly message: string };

/**
 * From an agent of the file to a tracked connection: what the extension and the command line use. Nothing is started
 * and nothing goes over the network before the first request. `connect` makes the connection that is tracked.
 */
export async function openAgent(
  config: AgentConfig,
  variables: Variables,
  emit: Tracking['emit'],
  connect: (agent: ResolvedAgent) => Connection = connectAgent,
): Promise<OpenedAgent> {
  const resolution = await resolveAgent(config, variables);
  if (!resolution.ok) return resolution;
  const { agent } = resolution;
  const credentials = agent.type === 'http' ? findCredentials(agent.url.href, agent.headers) : [];
  const redactor = new Redactor([...agent.secrets, ...credentials], agent.secretHeaders);
  const connection = trackConnection(connect(agent), { emit, now, ids: RANDOM_IDS, redactor });
  return { ok: true, connection };
}
