/** A response that is stored, as JSON. */
export interface StoredResponse {
  readonly text: string;
  readonly status: string;
  /** The conversation that it belongs to. */
  readonly session: string;
}

/** The maximum number of responses that are stored, and of their characters. */
const MAX_RESPONSES = 1_000;
const MAX_CHARACTERS = 32 * 2 ** 20;

/** The last responses, by id. The oldest are forgotten first. */
export class StoredResponses {
  readonly #byId = new Map<string, StoredResponse>();
  #characters = 0;

  get(id: string): StoredResponse | undefined {
    return this.#byId.get(id);
  }

  /** True for the last response of its conversation. */
  isLast(id: string): boolean {
    const session = this.#byId.get(id)?.session;
    return [...this.#byId].findLast(([, stored]) => stored.session === session)?.[0] === id;
  }

  put(id: string, response: StoredResponse): void {
    this.delete(id);
    this.#byId.set(id, response);
    this.#characters += response.text.length;
    for (const oldest of this.#byId.keys()) {
      if (this.#byId.size <= MAX_RESPONSES && this.#characters <= MAX_CHARACTERS) return;
      if (oldest !== id) this.delete(oldest);
    }
  }

  /** False if there is no such response. */
  delete(id: string): boolean {
    this.#characters -= this.#byId.get(id)?.text.length ?? 0;
    return this.#byId.delete(id);
  }
}
