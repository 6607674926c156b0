import { Conversations } from './asked/conversations.ts';
import { connectAgent, type ConnectOptions } from './connect.ts';
import type { ResolvedAgent } from './config/resolve-agent.ts';
import type { Connection, GoneWhy } from './connection.ts';
import { KnownTools } from './offer/known-tools.ts';

/** A connection with what is known of its agent. */
export interface KeptConnection {
  readonly connection: Connection;
  readonly tools: KnownTools;
  readonly conversations: Conversations;
}

interface Kept extends KeptConnection {
  /** All of the agent that decides whom we speak to. */
  readonly identity: string;
  /** What calls the news of it off. */
  readonly forget: () => void;
}

/**
 * Keeps connections from one call to the next: a process is started once, a session goes on, and what an agent said of its
 * tools is known. A kept connection is closed by `retain` and `close`, never by its user.
 */
export class KeptConnections {
  readonly #kept = new Map<string, Kept>();
  readonly #closing = new Set<Promise<void>>();
  readonly #onOfferChanged: (key: string) => void;
  readonly #options: ConnectOptions;
  readonly #onGone: (key: string, why: GoneWhy) => void;

  /**
   * `onOfferChanged` hears the keys of agents that tell that what they offer has changed, `onGone` those of agents whose
   * process is gone, and why.
   */
  constructor(
    onOfferChanged: (key: string) => void = () => undefined,
    options: ConnectOptions = {},
    onGone: (key: string, why: GoneWhy) => void = () => undefined,
  ) {
    this.#onOfferChanged = onOfferChanged;
    this.#options = options;
    this.#onGone = onGone;
  }

  /** The connection to an agent. `key` names the agent and its file; where it is another agent than before, that one ends. */
  connect(key: string, agent: ResolvedAgent): KeptConnection {
    const identity = identify(agent);
    const known = this.#kept.get(key);
    if (known && known.identity !== identity) void this.#drop(key, known);
    return known?.identity === identity ? known : this.#open(key, agent, identity);
  }

  /** The kept connection to an agent; undefined where none is. */
  find(key: string): KeptConnection | undefined {
    return this.#kept.get(key);
  }

  /** Ends the connection to an agent, if there is one. */
  async disconnect(key: string): Promise<void> {
    const kept = this.#kept.get(key);
    if (kept) await this.#drop(key, kept);
  }

  /** Ends the agents whose key is not among these. */
  retain(keys: ReadonlySet<string>): void {
    for (const [key, kept] of this.#kept) if (!keys.has(key)) void this.#drop(key, kept);
  }

  /** Ends all; resolves when they are gone. */
  async close(): Promise<void> {
    this.retain(new Set());
    await Promise.all(this.#closing);
  }

  #open(key: string, agent: ResolvedAgent, identity: string): Kept {
    const connection = connectAgent(agent, this.#options);
    const tools = new KnownTools();
    const forget = connection.onOfferChanged?.(() => {
      tools.expire();
      this.#onOfferChanged(key);
    });
    const endWatch = connection.onGone?.(why => this.#onGone(key, why));
    const conversations = new Conversations();
    const forgetAll = (): void => {
      forget?.();
      endWatch?.();
    };
    const kept = { identity, connection, tools, conversations, forget: forgetAll };
    this.#kept.set(key, kept);
    return kept;
  }

  #drop(key: string, { connection, forget }: Kept): Promise<void> {
    this.#kept.delete(key);
    forget();
    const closing = connection.close().finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
    return closing;
  }
}

function identify(agent: ResolvedAgent): string {
  return JSON.stringify(agent, (_, value: unknown) => (value instanceof Map ? [...value] : value));
}
