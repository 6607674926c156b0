import { isLoopbackName, portOf } from '../address.ts';
import type { PassingRequest } from './exchange.ts';
import { SocketOwners } from './socket-owners.ts';

/** The connection over which a request came. */
export interface CallerConnection {
  /** Tells it from others of this process. */
  readonly connection: number;
  /** The port at the caller's end, and the recording's own. */
  readonly from: number;
  readonly to: number;
}

/** So many connections of a recording are looked at in a row, and one more each time so many milliseconds have passed. */
const MOST_LOOKS = 8;
const LOOK_EVERY = 100;

/** So many connections are remembered. */
const MOST_CONNECTIONS = 1_000;

/** Where an agent is looked for again that was not found, or whose processes may be others now, in milliseconds. */
const LOOK_AGAIN = 10_000;

/** An agent that is recorded. */
interface Recorded {
  readonly agent: string;
  /** The processes that listen where it does, on this computer, and when they were looked for. */
  listeners: readonly number[];
  listenersAt: number;
  /** The processes that have called it. */
  readonly callers: Set<number>;
  /** How many of its connections may be looked at now, and since when. */
  looks: number;
  looksAt: number;
}

/**
 * Tells who makes a call that passes a recording, by the process that holds the other end of its connection: the agent that this
 * process, or one that began it, is known to be, because it listens where a recording leads to. Any other process is told by the
 * program that it runs. It says nothing where that is not known, as on other systems than Linux, and nothing where a process is
 * several agents, or the called one itself: then it may be any of them.
 */
export class Callers {
  readonly #owners: SocketOwners;
  readonly #agents = new Map<number, Recorded>();
  readonly #connections = new Map<number, readonly number[]>();

  constructor(owners = new SocketOwners()) {
    this.#owners = owners;
  }

  /** Who calls an agent, `recording` being what leads to it; `at` are milliseconds since 1970. */
  find(
    recording: number,
    agent: string,
    { line, caller }: Pick<PassingRequest, 'line' | 'caller'>,
    at: number,
  ): string | undefined {
    const called = this.#meet(recording, agent, at);
    // Callers may be gone soon: they are looked for first.
    const processes = caller ? this.#findProcesses(caller, called, at) : [];
    this.#findListeners(called, line, at);
    const [nearest] = processes;
    // Whoever records calls as well, and says so itself.
    if (nearest === undefined || nearest === process.pid) return undefined;
    if (called.callers.size < MOST_CONNECTIONS) called.callers.add(nearest);
    // What this process began belongs to none of the agents that it may be.
    const own = processes.indexOf(process.pid);
    for (const each of own === -1 ? processes : processes.slice(0, own)) {
      const agents = [...this.#agents.values()].filter(({ listeners }) => listeners.includes(each));
      const [only, ...others] = new Set(agents.map(known => known.agent));
      if (only !== undefined) return others.length > 0 || only === agent ? undefined : only;
    }
    // An agent of which no process was found may be this one, unless it is called by it.
    const mayBe = [...this.#agents.values()].filter(
      known => known !== called && known.listeners.length === 0,
    );
    const name = mayBe.every(({ callers }) => callers.has(nearest)) && this.#owners.nameOf(nearest);
    return name ? `${name} (process)` : undefined;
  }

  /** A recording is over. */
  forget(recording: number): void {
    this.#agents.delete(recording);
  }

  #meet(recording: number, agent: string, at: number): Recorded {
    const known = this.#agents.get(recording);
    if (known) return known;
    const met = {
      agent,
      listeners: [],
      listenersAt: -Infinity,
      callers: new Set<number>(),
      looks: MOST_LOOKS,
      looksAt: at,
    };
    this.#agents.set(recording, met);
    return met;
  }

  #findListeners(called: Recorded, line: string, at: number): void {
    if (at - called.listenersAt < LOOK_AGAIN) return;
    const port = findPort(line);
    called.listeners = port === undefined ? [] : this.#owners.findListeners(port);
    called.listenersAt = at;
  }

  #findProcesses(
    { connection, from, to }: CallerConnection,
    called: Recorded,
    at: number,
  ): readonly number[] {
    const known = this.#connections.get(connection);
    if (known) return known;
    const more = Math.floor((at - called.looksAt) / LOOK_EVERY);
    if (more > 0) {
      called.looks = Math.min(MOST_LOOKS, called.looks + more);
      called.looksAt = at;
    }
    const found = called.looks > 0 ? this.#owners.findCaller(from, to) : [];
    if (called.looks > 0) called.looks--;
    this.#connections.set(connection, found);
    const [oldest] = this.#connections.keys();
    if (this.#connections.size > MOST_CONNECTIONS && oldest !== undefined) this.#connections.delete(oldest);
    return found;
  }
}

/** The port on this computer that a request line leads to; undefined for one elsewhere. */
function findPort(line: string): number | undefined {
  const address = line.slice(line.indexOf(' ') + 1);
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  return isLoopbackName(url.hostname) ? portOf(url) : undefined;
}
