import { EventEmitter, type Disposable } from 'vscode';
import type { GoneWhy } from '../../../agents/connection.ts';
import type { AgentOffer } from '../agent-service.ts';
import { compareTools } from '../offer-change.ts';

/** What came of asking an agent for all that it offers. */
export type ReadOffer = Pick<AgentOffer, 'peer' | 'tools' | 'resources' | 'prompts' | 'at' | 'problem'> & {
  readonly state: 'idle' | 'connected' | 'failed';
};

/** An agent that was never asked. */
const NOT_ASKED: AgentOffer = {
  state: 'idle',
  peer: undefined,
  tools: undefined,
  resources: [],
  prompts: [],
  at: undefined,
  problem: undefined,
  change: undefined,
};

/** What is said of an agent whose process is gone. */
const GONE: Readonly<Record<GoneWhy, string>> = {
  ended: 'Its process has ended; the next request starts it anew',
  'too-long':
    'Its process was ended, because it wrote a message that is longer than Parley reads; the next request starts it anew',
};

/** News of one agent that come at once are asked for together, after so many milliseconds. */
const PAUSE = 500;

/** What agents offer, by name, and how we stand with them. */
export class AgentOffers implements Disposable {
  readonly #read: (agent: string, signal: AbortSignal) => Promise<ReadOffer>;
  readonly #changed = new EventEmitter<string>();
  readonly #offers = new Map<string, AgentOffer>();
  readonly #asking = new Map<
    string,
    { readonly stop: AbortController; readonly offer: Promise<AgentOffer> }
  >();
  readonly #timers = new Map<string, NodeJS.Timeout>();

  readonly onDidChange = this.#changed.event;

  /** `read` asks an agent; it never throws. */
  constructor(read: (agent: string, signal: AbortSignal) => Promise<ReadOffer>) {
    this.#read = read;
  }

  get(agent: string): AgentOffer {
    return this.#offers.get(agent) ?? NOT_ASKED;
  }

  /** Asks an agent; who asks meanwhile gets the same answer. */
  ask(agent: string): Promise<AgentOffer> {
    const asking = this.#asking.get(agent);
    if (asking) return asking.offer;
    const stop = new AbortController();
    const offer = this.#ask(agent, stop.signal).finally(() => {
      if (this.#asking.get(agent)?.stop === stop) this.#asking.delete(agent);
    });
    this.#asking.set(agent, { stop, offer });
    return offer;
  }

  /** The agent tells that something has changed: it is asked again where we are connected. */
  expire(agent: string): void {
    clearTimeout(this.#timers.get(agent));
    const timer = setTimeout(() => {
      this.#timers.delete(agent);
      // What comes of it is in the offer.
      if (this.get(agent).state === 'connected') void this.ask(agent);
    }, PAUSE);
    this.#timers.set(agent, timer);
  }

  /** Takes what a call has found out. */
  note(agent: string, found: ReadOffer): void {
    const before = this.get(agent);
    if (before.state === 'connecting') return;
    const isSame = before.state === found.state && before.at === found.at;
    if (!isSame) this.#set(agent, this.#compare(agent, found));
  }

  /** The process of an agent that we are connected to is gone. */
  lose(agent: string, why: GoneWhy): void {
    const before = this.get(agent);
    if (before.state === 'connected')
      this.#set(agent, { ...before, state: 'failed', problem: GONE[why], change: undefined });
  }

  /** Forgets an agent, and stops what is asked of it. */
  forget(agent: string): void {
    clearTimeout(this.#timers.get(agent));
    this.#timers.delete(agent);
    this.#asking.get(agent)?.stop.abort();
    this.#asking.delete(agent);
    if (this.#offers.delete(agent)) this.#changed.fire(agent);
  }

  /** Forgets the agents that are not among these. */
  retain(agents: ReadonlySet<string>): void {
    for (const agent of [...this.#offers.keys()]) if (!agents.has(agent)) this.forget(agent);
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    for (const { stop } of this.#asking.values()) stop.abort();
    this.#changed.dispose();
  }

  async #ask(agent: string, signal: AbortSignal): Promise<AgentOffer> {
    this.#set(agent, { ...this.get(agent), state: 'connecting', problem: undefined });
    const found = await this.#read(agent, signal);
    // Who disconnected meanwhile wants to know nothing of it.
    if (signal.aborted) return this.get(agent);
    return this.#set(agent, this.#compare(agent, found));
  }

  #compare(agent: string, found: ReadOffer): AgentOffer {
    const before = this.get(agent);
    if (found.state !== 'connected')
      return { ...before, state: found.state, problem: found.problem, change: undefined };
    const change = before.tools && found.tools ? compareTools(before.tools, found.tools) : undefined;
    return { ...found, change };
  }

  #set(agent: string, offer: AgentOffer): AgentOffer {
    this.#offers.set(agent, offer);
    this.#changed.fire(agent);
    return offer;
  }
}
