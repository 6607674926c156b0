import type { LanguageId } from '../core/catalog/languages.ts';
import { Redactor, findCredentials } from '../core/secrets/redact.ts';
import type { Protocols } from '../protocols/protocol.ts';
import { askIn, type AskOptions } from './converting/converting-connection.ts';
import { Conversations } from './converting/conversations.ts';
import type { AgentConfig } from './config/agent-config.ts';
import { resolveAgent, type ResolvedAgent } from './config/resolve-agent.ts';
import type { Variables } from './config/variables.ts';
import type { CallListener, Connect, Connection, Outgoing, Send, Sender } from './connection.ts';
import type { PooledConnection } from './connection-pool.ts';
import { watchProtocol } from './discovery/mistaken.ts';
import { KnownTools } from './capabilities/known-tools.ts';
import { RANDOM_IDS, now } from './runtime.ts';
import { sendTracked, type SentRequest, type Tracking } from './tracked.ts';

/** An agent that is ready for requests. */
export interface OpenedAgent {
  readonly ok: true;
  readonly agent: ResolvedAgent;
  readonly pooled: PooledConnection;
  /** Replaces the secrets of its entry, credentials in its address and headers included. */
  readonly redactor: Redactor;
  /** Sends a request as one call. `how` replaces the connection's way of sending, for a call of several requests. */
  send(request: Outgoing, listener: CallListener, signal: AbortSignal, how?: Send): SentRequest;
  /** Closes the connection, unless it is a retained one. */
  close(): Promise<void>;
}

export interface OpenOptions {
  readonly protocols: Protocols;
  /** The language of requests and replies; by default that of the agent's own protocol. */
  readonly language?: LanguageId;
  /** Whether a request with warnings is sent; by default `hold`. */
  readonly warningPolicy?: AskOptions['warningPolicy'];
  readonly connect: Connect;
  /** True to find out which protocol an agent speaks whose first answer is silence or in another protocol. */
  readonly watches?: boolean;
  /** Finds a retained connection, which is used instead of a new one. */
  readonly pooled?: (agent: ResolvedAgent) => PooledConnection;
}

/**
 * Opens an agent of the configuration so that its calls are traced, for the extension and the command line.
 * Nothing is started and nothing goes over the network before the first request.
 */
export async function openAgent(
  config: AgentConfig<string>,
  variables: Variables,
  emit: Tracking['emit'],
  options: OpenOptions,
): Promise<OpenedAgent | { readonly ok: false; readonly message: string }> {
  const resolution = await resolveAgent(config, variables);
  if (!resolution.ok) return resolution;
  const { agent } = resolution;
  const credentials = agent.type === 'http' ? findCredentials(agent.url.href, agent.headers) : [];
  const redactor = new Redactor([...agent.secrets, ...credentials], agent.secretHeaders);
  const tracking = { emit, now, ids: RANDOM_IDS, redactor };
  const { protocols, language, warningPolicy = 'hold', connect, watches = false } = options;
  const pooled = options.pooled?.(agent) ?? newly(connect(agent));
  const { connection, tools, conversations } = pooled;
  const { timeout } = agent;
  const fixedParameters = agent.type === 'http' && agent.model !== undefined ? ['model'] : [];
  const known = { protocols, language, warningPolicy, timeout, tools, conversations, fixedParameters };
  const sender: Sender = language ? askIn(connection, { ...known, language }) : connection;
  const { protocol } = connection;
  return {
    ok: true,
    agent,
    pooled,
    redactor,
    send(request, listener, signal, how = (...args) => sender.send(...args)) {
      // The answer to a request of the agent, or to the question of a task, belongs to the trace of that.
      const found = request.trace ?? request.origin?.trace ?? conversations.findTrace(request, protocol);
      const trace = found ?? tracking.ids.newTrace();
      const options = { protocols, connect };
      const watched = watches ? watchProtocol(how, agent, { key: connection, protocol }, options) : how;
      const to = { agent: agent.name, protocol, send: watched };
      const { call, reply } = sendTracked(to, tracking, { ...request, trace }, listener, signal);
      const waited = reply.then(came => {
        conversations.wait(trace, came.question);
        return came;
      });
      return { call, reply: waited };
    },
    close: () => (options.pooled ? Promise.resolve() : connection.close()),
  };
}

/** A connection to an agent of which nothing is known yet. */
function newly(connection: Connection): PooledConnection {
  return { connection, tools: new KnownTools(), conversations: new Conversations() };
}
