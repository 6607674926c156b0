import { connectAgent } from './connect.ts';
import type { ResolvedAgent } from './config/resolve-agent.ts';
import type { Connection } from './connection.ts';

interface Kept {
  /** All of the agent that decides what runs. */
  readonly identity: string;
  readonly connection: Connection;
}

/**
 * Keeps the connections to agents that are processes from one call to the next: a process is started once. Others are
 * made for each call. A kept connection is closed by `retain` and `close`, never by its user.
 */
export class KeptConnections {
  readonly #kept = new Map<string, Kept>();
  readonly #closing = new Set<Promise<void>>();

  /** The connection to an agent. `key` names the agent and its file; where it is another agent than before, that one ends. */
  connect(key: string, agent: ResolvedAgent): Connection {
    if (agent.type === 'http') return connectAgent(agent);
    const identity = identify(agent);
    const known = this.#kept.get(key);
    if (known && known.identity !== identity) this.#drop(key, known);
    const kept = known?.identity === identity ? known : { identity, connection: connectAgent(agent) };
    this.#kept.set(key, kept);
    const { connection } = kept;
    return {
      agent: connection.agent,
      protocol: connection.protocol,
      send: (request, listener, signal) => connection.send(request, listener, signal),
      close: () => Promise.resolve(),
    };
  }

  /** Ends the agents whose key is not among these. */
  retain(keys: ReadonlySet<string>): void {
    for (const [key, kept] of this.#kept) if (!keys.has(key)) this.#drop(key, kept);
  }

  /** Ends all; resolves when they are gone. */
  async close(): Promise<void> {
    this.retain(new Set());
    await Promise.all(this.#closing);
  }

  #drop(key: string, { connection }: Kept): void {
    this.#kept.delete(key);
    const closing = connection.close().finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}

function identify(agent: Exclude<ResolvedAgent, { type: 'http' }>): string {
  const { name, protocol, command, args, env, cwd, timeout } = agent;
  return JSON.stringify([name, protocol, command, args, [...env], cwd, timeout]);
}
