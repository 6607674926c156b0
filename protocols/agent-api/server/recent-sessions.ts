/** The maximum number of responses whose sessions are known. */
const MAX_RESPONSES = 1_000;

/** The sessions of the last responses, by the ids of the responses. */
export class RecentSessions {
  readonly #byId = new Map<string, string>();

  get(id: string): string | undefined {
    return this.#byId.get(id);
  }

  put(id: string, session: string): void {
    this.#byId.set(id, session);
    for (const oldest of this.#byId.keys()) {
      if (this.#byId.size <= MAX_RESPONSES) return;
      this.#byId.delete(oldest);
    }
  }
}
