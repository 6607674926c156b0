import type { LanguageId } from '../core/catalog/languages.ts';
import { Redactor, findCredentials } from '../core/secrets/redact.ts';
import { askIn, type AskOptions } from './asked/asked-connection.ts';
import { Conversations } from './asked/conversations.ts';
import type { AgentConfig } from './config/agent-config.ts';
import { resolveAgent, type ResolvedAgent } from './config/resolve-agent.ts';
import type { Variables } from './config/variables.ts';
import { connectAgent } from './connect.ts';
import type { Outgoing, Send, Sender, WireListener } from './connection.ts';
import type { KeptConnection } from './kept-connections.ts';
import { KnownTools } from './offer/known-tools.ts';
import { RANDOM_IDS, now } from './runtime.ts';
import { redactRequest, sendTracked, type SentRequest, type Tracking } from './tracked.ts';

/** An agent of the file that requests can be sent to. */
export interface OpenedAgent {
  readonly ok: true;
  readonly agent: ResolvedAgent;
  readonly kept: KeptConnection;
  /** Sends a request as one call; `how` in the place of the connection, for a call of several requests. */
  send(request: Outgoing, listener: WireListener, signal: AbortSignal, how?: Send): SentRequest;
  /** A request's text as it may be shown and kept: secrets replaced. */
  redact(request: Outgoing): string;
  /** Ends the connection, unless somebody keeps it. */
  close(): Promise<void>;
}

export interface OpenOptions {
  /** The language of requests and replies; without it those of the agent's own protocol. */
  readonly language?: LanguageId;
  /** Whether a request about which there is a doubt goes out all the same; `hold` if left out. */
  readonly doubtful?: AskOptions['doubtful'];
  /** Makes the connection, or finds one that is kept. */
  readonly connect?: (agent: ResolvedAgent) => KeptConnection;
}

/**
 * From an agent of the file to one whose calls are traced: what the extension and the command line use. Nothing is started
 * and nothing goes over the network before the first request.
 */
export async function openAgent(
  config: AgentConfig,
  variables: Variables,
  emit: Tracking['emit'],
  options: OpenOptions = {},
): Promise<OpenedAgent | { readonly ok: false; readonly message: string }> {
  const resolution = await resolveAgent(config, variables);
  if (!resolution.ok) return resolution;
  const { agent } = resolution;
  const credentials = agent.type === 'http' ? findCredentials(agent.url.href, agent.headers) : [];
  const redactor = new Redactor([...agent.secrets, ...credentials], agent.secretHeaders);
  const tracking = { emit, now, ids: RANDOM_IDS, redactor };
  const { language, doubtful = 'hold', connect } = options;
  const kept = connect?.(agent) ?? connectAnew(agent);
  const { connection, tools, conversations } = kept;
  const sender: Sender = language
    ? askIn(connection, { language, doubtful, timeout: agent.timeout, tools, conversations })
    : connection;
  const { protocol } = connection;
  return {
    ok: true,
    agent,
    kept,
    send: (request, listener, signal, how = (...asked) => sender.send(...asked)) =>
      sendTracked({ agent: agent.name, protocol, send: how }, tracking, request, listener, signal),
    redact: request => redactRequest(redactor, request),
    close: () => (connect ? Promise.resolve() : connection.close()),
  };
}

function connectAnew(agent: ResolvedAgent): KeptConnection {
  return { connection: connectAgent(agent), tools: new KnownTools(), conversations: new Conversations() };
}
