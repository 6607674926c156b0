import type { Disposable } from 'vscode';

/** Owns what subscribes, and ends it in reverse order. What is added after the end is ended at once. */
export class DisposableStore implements Disposable {
  readonly #items: Disposable[] = [];
  #isDisposed = false;

  /** Adds something to own and hands it back. */
  add<Item extends Disposable>(item: Item): Item {
    if (this.#isDisposed) item.dispose();
    else this.#items.push(item);
    return item;
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const item of this.#items.splice(0).reverse()) item.dispose();
  }
}
