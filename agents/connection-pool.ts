import { Conversations } from './converting/conversations.ts';
import type { ResolvedAgent } from './config/resolve-agent.ts';
import type { Connect, ConnectOptions, Connection, GoneWhy } from './connection.ts';
import { KnownTools } from './capabilities/known-tools.ts';

/** A connection with what is known of its agent. */
export interface PooledConnection {
  readonly connection: Connection;
  readonly tools: KnownTools;
  readonly conversations: Conversations;
}

interface PoolEntry extends PooledConnection {
  /** The agent's whole configuration as text: a difference means another agent. */
  readonly identity: string;
  /** Ends the subscriptions to the connection. */
  readonly forget: () => void;
}

/**
 * Retains connections between calls: a process is started once, a session continues, and the agent's tools
 * stay known. Only this class closes a retained connection, never its user.
 */
export class ConnectionPool {
  readonly #entries = new Map<string, PoolEntry>();
  readonly #closing = new Set<Promise<void>>();
  readonly #connect: Connect;
  readonly #onCapabilitiesChanged: (key: string) => void;
  readonly #options: ConnectOptions;
  readonly #onGone: (key: string, why: GoneWhy) => void;

  /**
   * `onCapabilitiesChanged` receives the key of an agent that reports changed capabilities, `onGone` the key of an
   * agent whose process has ended, and why.
   */
  constructor(
    connect: Connect,
    onCapabilitiesChanged: (key: string) => void = () => undefined,
    options: ConnectOptions = {},
    onGone: (key: string, why: GoneWhy) => void = () => undefined,
  ) {
    this.#connect = connect;
    this.#onCapabilitiesChanged = onCapabilitiesChanged;
    this.#options = options;
    this.#onGone = onGone;
  }

  /**
   * The connection to an agent. `key` names the agent and its file. A connection to a different agent under
   * this key is closed.
   */
  connect(key: string, agent: ResolvedAgent): PooledConnection {
    const identity = identify(agent);
    const known = this.#entries.get(key);
    if (known && known.identity !== identity) void this.#drop(key, known);
    return known?.identity === identity ? known : this.#open(key, agent, identity);
  }

  /** The retained connection to an agent; undefined if there is none. */
  find(key: string): PooledConnection | undefined {
    return this.#entries.get(key);
  }

  /** Closes the connection to an agent, if there is one. */
  async disconnect(key: string): Promise<void> {
    const pooled = this.#entries.get(key);
    if (pooled) await this.#drop(key, pooled);
  }

  /** Closes the connections whose key is not in `keys`. */
  retain(keys: ReadonlySet<string>): void {
    for (const [key, pooled] of this.#entries) if (!keys.has(key)) void this.#drop(key, pooled);
  }

  /** Closes all connections; resolves when they are closed. */
  async close(): Promise<void> {
    this.retain(new Set());
    await Promise.all(this.#closing);
  }

  #open(key: string, agent: ResolvedAgent, identity: string): PoolEntry {
    const connection = this.#connect(agent, this.#options);
    const tools = new KnownTools();
    const forget = connection.onCapabilitiesChanged?.(() => {
      tools.expire();
      this.#onCapabilitiesChanged(key);
    });
    const endWatch = connection.onGone?.(why => this.#onGone(key, why));
    const conversations = new Conversations();
    const forgetAll = (): void => {
      forget?.();
      endWatch?.();
    };
    const pooled = { identity, connection, tools, conversations, forget: forgetAll };
    this.#entries.set(key, pooled);
    return pooled;
  }

  #drop(key: string, { connection, forget }: PoolEntry): Promise<void> {
    this.#entries.delete(key);
    forget();
    const closing = connection.close().finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
    return closing;
  }
}

function identify(agent: ResolvedAgent): string {
  return JSON.stringify(agent, (_, value: unknown) => (value instanceof Map ? [...value] : value));
}
