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

/** So many connections are looked at in a row, and one more each time so many milliseconds have passed. */
const MOST_LOOKS = 8;
const LOOK_EVERY = 100;

/** So many connections are remembered. */
const MOST_CONNECTIONS = 1_000;

/** Where an agent is looked for again that was not found, or whose processes may be others now, in milliseconds. */
const LOOK_AGAIN = 10_000;

/** An agent that is recorded. */
interface Recorded {
  readonly agent: string;
  /** Where it listens, on this computer; undefined for one elsewhere. */
  readonly port: number | undefined;
  /** The processes that listen there, and when they were looked for. */
  listeners: readonly number[];
  at: number;
  /** The processes that have called it. */
  readonly callers: Set<number>;
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
  #looks = MOST_LOOKS;
  #lookedAt = 0;

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
    // Callers may be gone soon.
    const processes = caller ? this.#findProcesses(caller, at) : [];
    const called = this.#meet(recording, agent, line, at);
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

  #meet(recording: number, agent: string, line: string, at: number): Recorded {
    const known = this.#agents.get(recording);
    if (known && at - known.at < LOOK_AGAIN) return known;
    const met = known ?? { agent, port: portOf(line), listeners: [], at, callers: new Set<number>() };
    met.at = at;
    met.listeners = met.port === undefined ? [] : this.#owners.findListeners(met.port);
    this.#agents.set(recording, met);
    return met;
  }

  #findProcesses({ connection, from, to }: CallerConnection, at: number): readonly number[] {
    const known = this.#connections.get(connection);
    if (known) return known;
    const more = Math.floor((at - this.#lookedAt) / LOOK_EVERY);
    if (more > 0) {
      this.#looks = Math.min(MOST_LOOKS, this.#looks + more);
      this.#lookedAt = at;
    }
    const found = this.#looks > 0 ? this.#owners.findCaller(from, to) : [];
    if (this.#looks > 0) this.#looks--;
    this.#connections.set(connection, found);
    const [oldest] = this.#connections.keys();
    if (this.#connections.size > MOST_CONNECTIONS && oldest !== undefined) this.#connections.delete(oldest);
    return found;
  }
}

/** The port on this computer that a request line leads to; undefined for one elsewhere. */
function portOf(line: string): number | undefined {
  const address = line.slice(line.indexOf(' ') + 1);
  if (!URL.canParse(address)) return undefined;
  const { hostname, port, protocol } = new URL(address);
  if (!/^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0)$/.test(hostname)) return undefined;
  return Number(port) || (protocol === 'https:' ? 443 : 80);
}
