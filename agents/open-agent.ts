import type { LanguageId } from '../core/catalog/languages.ts';
import { Redactor, findCredentials } from '../core/secrets/redact.ts';
import { askIn, type AskOptions } from './asked/asked-connection.ts';
import { Conversations } from './asked/conversations.ts';
import type { AgentConfig } from './config/agent-config.ts';
import { resolveAgent, type ResolvedAgent } from './config/resolve-agent.ts';
import type { Variables } from './config/variables.ts';
import { connectAgent } from './connect.ts';
import type { Connection, Outgoing } from './connection.ts';
import type { KeptConnection } from './kept-connections.ts';
import { KnownTools } from './offer/known-tools.ts';
import { RANDOM_IDS, now } from './runtime.ts';
import { redactRequest, trackConnection, type Tracking } from './tracked.ts';

export type OpenedAgent =
  | {
      readonly ok: true;
      readonly connection: Connection;
      /** A request's text as it may be shown and kept: secrets replaced. */
      redact(request: Outgoing): string;
    }
  | { readonly ok: false; readonly message: string };

export interface OpenOptions {
  /** The language of requests and replies; without it those of the agent's own protocol. */
  readonly language?: LanguageId;
  /** Whether a request about which there is a doubt goes out all the same; `hold` if left out. */
  readonly doubtful?: AskOptions['doubtful'];
  /** Makes the connection, or finds one that is kept. */
  readonly connect?: (agent: ResolvedAgent) => KeptConnection;
}

/**
 * From an agent of the file to a tracked connection: what the extension and the command line use. Nothing is started
 * and nothing goes over the network before the first request.
 */
export async function openAgent(
  config: AgentConfig,
  variables: Variables,
  emit: Tracking['emit'],
  options: OpenOptions = {},
): Promise<OpenedAgent> {
  const resolution = await resolveAgent(config, variables);
  if (!resolution.ok) return resolution;
  const { agent } = resolution;
  const credentials = agent.type === 'http' ? findCredentials(agent.url.href, agent.headers) : [];
  const redactor = new Redactor([...agent.secrets, ...credentials], agent.secretHeaders);
  const { language, doubtful = 'hold', connect = connectAnew } = options;
  const { connection, ...known } = connect(agent);
  const asked = language
    ? askIn(connection, { language, doubtful, timeout: agent.timeout, ...known })
    : connection;
  return {
    ok: true,
    connection: trackConnection(asked, { emit, now, ids: RANDOM_IDS, redactor }),
    redact: request => redactRequest(redactor, request),
  };
}

function connectAnew(agent: ResolvedAgent): KeptConnection {
  return { connection: connectAgent(agent), tools: new KnownTools(), conversations: new Conversations() };
}
