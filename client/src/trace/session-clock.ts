/** A session is idle after so many milliseconds without traffic (reading of LightAICL, section 1.4). */
const IDLE_AFTER = 30_000;

/** So many sessions of an agent are remembered; the one whose traffic is the oldest goes first. */
const MOST_SESSIONS = 50;

/** A session without traffic, and the time of its last, as milliseconds since 1970. */
export interface IdleSession {
  readonly name: string;
  readonly since: number;
}

/** When there was traffic in the sessions of each agent, by clocks that others read. */
export class SessionClock {
  readonly #agents = new Map<string, Map<string, number>>();

  /** Notes traffic in a session. */
  note(agent: string, session: string, at: number): void {
    const sessions = this.#agents.get(agent) ?? new Map<string, number>();
    this.#agents.set(agent, sessions);
    const last = Math.max(at, sessions.get(session) ?? 0);
    // The order is that of the traffic.
    sessions.delete(session);
    sessions.set(session, last);
    const [oldest] = sessions.keys();
    if (sessions.size > MOST_SESSIONS && oldest !== undefined) sessions.delete(oldest);
  }

  /** The sessions of an agent that are idle at a time, the one with the newest traffic first. */
  listIdle(agent: string, now: number): readonly IdleSession[] {
    return [...(this.#agents.get(agent) ?? [])]
      .map(([name, since]) => ({ name, since }))
      .filter(({ since }) => now - since >= IDLE_AFTER)
      .toReversed();
  }

  /** When the next session becomes idle; undefined where none will without new traffic. */
  findNext(now: number): number | undefined {
    const times = [...this.#agents.values()]
      .flatMap(sessions => [...sessions.values()])
      .map(since => since + IDLE_AFTER)
      .filter(time => time > now);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  clear(): void {
    this.#agents.clear();
  }
}
