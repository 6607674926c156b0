import { Changing } from '../base/changing.ts';
import type { GoneWhy } from '../../../agents/connection.ts';
import type { AgentCapabilities, FetchHow } from '../services/agent-service.ts';
import { compareTools } from '../services/tool-change.ts';

/** The result of fetching an agent's capabilities. */
export type FetchedCapabilities = Pick<
  AgentCapabilities,
  'peer' | 'tools' | 'resources' | 'prompts' | 'at' | 'problem' | 'mistake'
> & {
  readonly state: 'idle' | 'connected' | 'failed';
};

/** The capabilities of an agent that was never asked. */
const NOT_ASKED: AgentCapabilities = {
  state: 'idle',
  peer: undefined,
  tools: undefined,
  resources: [],
  prompts: [],
  at: undefined,
  problem: undefined,
  change: undefined,
};

/** The message for an agent whose process has ended. */
const GONE: Readonly<Record<GoneWhy, string>> = {
  ended: 'Its process has ended; the next request restarts it',
  'too-long':
    'Its process was ended, because it wrote a message that is longer than Parley reads; the next request restarts it',
};

/**
 * Change notifications of an agent are coalesced for this many milliseconds before its capabilities are
 * fetched again.
 */
const PAUSE = 500;

/** A running request for the capabilities of an agent. */
interface Asking {
  readonly stop: AbortController;
  readonly how: FetchHow;
  readonly capabilities: Promise<AgentCapabilities>;
}

/** Stores the capabilities of agents and their connection state, by name. */
export class CapabilityStore extends Changing<string> {
  readonly #read: (agent: string, signal: AbortSignal, how: FetchHow) => Promise<FetchedCapabilities>;
  readonly #capabilities = new Map<string, AgentCapabilities>();
  readonly #asking = new Map<string, Asking>();
  readonly #timers = new Map<string, NodeJS.Timeout>();

  /** `read` fetches an agent's capabilities; it must not throw. */
  constructor(read: (agent: string, signal: AbortSignal, how: FetchHow) => Promise<FetchedCapabilities>) {
    super();
    this.#read = read;
  }

  get(agent: string): AgentCapabilities {
    return this.#capabilities.get(agent) ?? NOT_ASKED;
  }

  /** Fetches an agent's capabilities. Concurrent callers share one request. */
  ask(agent: string, how: FetchHow = 'traced'): Promise<AgentCapabilities> {
    const asking = this.#asking.get(agent);
    if (asking) return asking.capabilities;
    const stop = new AbortController();
    const capabilities = this.#ask(agent, stop.signal, how).finally(() => {
      if (this.#asking.get(agent)?.stop === stop) this.#asking.delete(agent);
    });
    this.#asking.set(agent, { stop, how, capabilities });
    return capabilities;
  }

  /** Handles a change notification of an agent: fetches its capabilities again if it is connected. */
  expire(agent: string): void {
    clearTimeout(this.#timers.get(agent));
    const timer = setTimeout(() => {
      this.#timers.delete(agent);
      // The result, including an error, is stored with the capabilities.
      if (this.get(agent).state === 'connected') void this.ask(agent);
    }, PAUSE);
    this.#timers.set(agent, timer);
  }

  /** Applies what a call has found out about an agent. */
  note(agent: string, found: FetchedCapabilities): void {
    const before = this.get(agent);
    if (before.state === 'connecting') return;
    const isSame = before.state === found.state && before.at === found.at;
    if (!isSame) this.#set(agent, this.#compare(agent, found));
  }

  /** Records that the process of a connected agent has ended. */
  lose(agent: string, why: GoneWhy): void {
    const before = this.get(agent);
    if (before.state === 'connected')
      this.#set(agent, { ...before, state: 'failed', problem: GONE[why], change: undefined });
  }

  /** Discards what is known of an agent and aborts a running request for its capabilities. */
  forget(agent: string): void {
    clearTimeout(this.#timers.get(agent));
    this.#timers.delete(agent);
    this.#asking.get(agent)?.stop.abort();
    this.#asking.delete(agent);
    this.#capabilities.delete(agent);
    this.changed.fire(agent);
  }

  /** Discards what is known of an agent whose entry changed. A running request for its capabilities is made anew. */
  renew(agent: string): void {
    const asking = this.#asking.get(agent);
    this.forget(agent);
    if (asking) void this.ask(agent, asking.how);
  }

  /** Discards the agents that are not in the set. */
  retain(agents: ReadonlySet<string>): void {
    for (const agent of [...this.#capabilities.keys()]) if (!agents.has(agent)) this.forget(agent);
  }

  override dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    for (const { stop } of this.#asking.values()) stop.abort();
    super.dispose();
  }

  async #ask(agent: string, signal: AbortSignal, how: FetchHow): Promise<AgentCapabilities> {
    this.#set(agent, { ...this.get(agent), state: 'connecting', problem: undefined, mistake: undefined });
    const found = await this.#read(agent, signal, how);
    // After a disconnect the result is discarded, and after a change of the entry that of the new request applies.
    if (signal.aborted) return this.#asking.get(agent)?.capabilities ?? this.get(agent);
    return this.#set(agent, this.#compare(agent, found));
  }

  #compare(agent: string, found: FetchedCapabilities): AgentCapabilities {
    const before = this.get(agent);
    if (found.state !== 'connected')
      return {
        ...before,
        state: found.state,
        problem: found.problem,
        mistake: found.mistake,
        change: undefined,
      };
    const change = before.tools && found.tools ? compareTools(before.tools, found.tools) : undefined;
    return { ...found, change };
  }

  #set(agent: string, capabilities: AgentCapabilities): AgentCapabilities {
    this.#capabilities.set(agent, capabilities);
    this.changed.fire(agent);
    return capabilities;
  }
}
