import { isLoopbackName, portOf } from '../address.ts';
import { putRecent } from '../recent.ts';
import type { PassingRequest } from './exchange.ts';
import { SocketOwners } from './socket-owners.ts';

/** The connection on which a request was received. */
export interface CallerConnection {
  /** Identifies it among the connections of this process. */
  readonly connection: number;
  /** The ports at the caller's end and at the recording's end. */
  readonly from: number;
  readonly to: number;
}

/**
 * The number of connections of a recording that may be looked up in a row, and the milliseconds after which
 * one more may be.
 */
const MAX_LOOKS = 8;
const LOOK_EVERY = 100;

/** The maximum number of connections that are remembered. */
const MAX_CONNECTIONS = 1_000;

/** Milliseconds after which an agent's processes are looked up again: they were not found or may have changed. */
const LOOK_AGAIN = 10_000;

/** An agent that is recorded. */
interface Recorded {
  readonly agent: string;
  /** The processes on this computer that listen on its port, and when they were looked up. */
  listeners: readonly number[];
  listenersAt: number;
  /** The processes that have called it. */
  readonly callers: Set<number>;
  /** The number of its connections that may be looked up now, and when it was last raised. */
  looks: number;
  looksAt: number;
}

/**
 * Finds the caller of a recorded call by the process at the other end of its connection. That process is an
 * agent if it, or a process that started it, listens where a recording leads to. Any other process is named
 * after its program. Nothing is returned if the process is unknown, as on systems other than Linux, or if it
 * may be several agents or the called agent itself.
 */
export class Callers {
  readonly #owners: SocketOwners;
  readonly #agents = new Map<number, Recorded>();
  readonly #connections = new Map<number, readonly number[]>();

  constructor(owners = new SocketOwners()) {
    this.#owners = owners;
  }

  /**
   * The caller of an agent. `recording` identifies the recording that leads to the agent; `at` is in
   * milliseconds since 1970.
   */
  find(
    recording: number,
    agent: string,
    { line, caller }: Pick<PassingRequest, 'line' | 'caller'>,
    at: number,
  ): string | undefined {
    const called = this.#meet(recording, agent, at);
    // Callers may end soon, so they are looked up first.
    const processes = caller ? this.#findProcesses(caller, called, at) : [];
    this.#findListeners(called, line, at);
    const [nearest] = processes;
    // This process records its own calls and names their caller itself.
    if (nearest === undefined || nearest === process.pid) return undefined;
    if (called.callers.size < MAX_CONNECTIONS) called.callers.add(nearest);
    // A process that this one started belongs to none of the agents that this process may be.
    const own = processes.indexOf(process.pid);
    for (const each of own === -1 ? processes : processes.slice(0, own)) {
      const agents = [...this.#agents.values()].filter(({ listeners }) => listeners.includes(each));
      const [only, ...others] = new Set(agents.map(known => known.agent));
      if (only !== undefined) return others.length > 0 || only === agent ? undefined : only;
    }
    // An agent without a known process may be this caller, unless this caller has called it.
    const mayBe = [...this.#agents.values()].filter(
      known => known !== called && known.listeners.length === 0,
    );
    const name = mayBe.every(({ callers }) => callers.has(nearest)) && this.#owners.nameOf(nearest);
    return name ? `${name} (process)` : undefined;
  }

  /** Forgets a recording that has ended. */
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
      looks: MAX_LOOKS,
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
      called.looks = Math.min(MAX_LOOKS, called.looks + more);
      called.looksAt = at;
    }
    const found = called.looks > 0 ? this.#owners.findCaller(from, to) : [];
    if (called.looks > 0) called.looks--;
    putRecent(this.#connections, connection, found, MAX_CONNECTIONS);
    return found;
  }
}

/** The port on this computer that a request line leads to; undefined if it leads elsewhere. */
function findPort(line: string): number | undefined {
  const address = line.slice(line.indexOf(' ') + 1);
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  return isLoopbackName(url.hostname) ? portOf(url) : undefined;
}
