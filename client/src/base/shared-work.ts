/** Work by key, such as a question to the user: who asks for it while it runs gets the same result. */
export class SharedWork<Result> {
  readonly #running = new Map<string, Promise<Result>>();

  run(key: string, work: () => Promise<Result>): Promise<Result> {
    const running = this.#running.get(key) ?? work().finally(() => this.#running.delete(key));
    this.#running.set(key, running);
    return running;
  }
}
