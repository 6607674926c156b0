import type { ServerHost } from '../../serving/serving.ts';

/** Milliseconds without a message after which a session ends (LightAICL 1.0, section 9.2). */
const IDLE = 30_000;
/** More sessions end the oldest idle ones. */
const MAX_SESSIONS = 10_000;

/** A session of callers. */
export interface OpenSession {
  /** Its name for the agent: another one after the session has ended and begins again. */
  readonly name: string;
  /** What the agent waits for: the reply to a request of its own, or words. */
  waits: 'result' | 'text' | undefined;
  running: number;
  usedAt: number;
}

/** The sessions of callers, each until it is idle for 30 s. */
export class Sessions {
  /** In the order of their last use. */
  readonly #open = new Map<string, OpenSession>();
  readonly #host: Pick<ServerHost, 'now' | 'newId'>;

  constructor(host: Pick<ServerHost, 'now' | 'newId'>) {
    this.#host = host;
  }

  /** Begins the answer to a message of a session. */
  begin(session: string): OpenSession {
    const now = this.#host.now();
    this.#endIdle(now);
    const found = this.#open.get(session) ?? {
      name: `${session}-${this.#host.newId().slice(0, 8)}`,
      waits: undefined,
      running: 0,
      usedAt: now,
    };
    found.running++;
    found.usedAt = now;
    this.#open.delete(session);
    this.#open.set(session, found);
    return found;
  }

  /** Ends the answer to a message. */
  end(session: OpenSession): void {
    session.running--;
    session.usedAt = this.#host.now();
  }

  #endIdle(now: number): void {
    for (const [name, { running, usedAt }] of this.#open) {
      const isOld = now - usedAt > IDLE || this.#open.size > MAX_SESSIONS;
      if (isOld && running === 0) this.#open.delete(name);
    }
  }
}
