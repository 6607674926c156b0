/** Milliseconds without traffic until a session is idle (reading of LightAICL, section 1.4). */
const IDLE_AFTER = 30_000;

/** The maximum number of stored sessions per agent; the one with the oldest traffic is removed first. */
const MAX_SESSIONS = 50;

/** An idle session, and the time of its last traffic in milliseconds since 1970. */
export interface IdleSession {
  readonly name: string;
  readonly since: number;
}

/** Stores the last traffic of each agent's sessions. Callers pass the current time. */
export class SessionClock {
  readonly #agents = new Map<string, Map<string, number>>();

  /** Records traffic in a session. */
  note(agent: string, session: string, at: number): void {
    const sessions = this.#agents.get(agent) ?? new Map<string, number>();
    this.#agents.set(agent, sessions);
    const last = Math.max(at, sessions.get(session) ?? 0);
    // Inserted again, because the map is ordered by traffic.
    sessions.delete(session);
    sessions.set(session, last);
    const [oldest] = sessions.keys();
    if (sessions.size > MAX_SESSIONS && oldest !== undefined) sessions.delete(oldest);
  }

  /** The idle sessions of an agent at a time, the one with the newest traffic first. */
  listIdle(agent: string, now: number): readonly IdleSession[] {
    return [...(this.#agents.get(agent) ?? [])]
      .map(([name, since]) => ({ name, since }))
      .filter(({ since }) => now - since >= IDLE_AFTER)
      .toReversed();
  }

  /** When the next session becomes idle; undefined if none will. */
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
