import type { Disposable } from 'vscode';

/** Owns disposables and disposes of them in reverse order. Items added after disposal are disposed of immediately. */
export class DisposableStore implements Disposable {
  readonly #items: Disposable[] = [];
  #isDisposed = false;

  /** Takes ownership of an item and returns it. */
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

/** A class whose objects own disposables, which end with them. */
export abstract class Owner implements Disposable {
  readonly #store = new DisposableStore();

  /** Takes ownership of an item and returns it. */
  protected own<Item extends Disposable>(item: Item): Item {
    return this.#store.add(item);
  }

  dispose(): void {
    this.#store.dispose();
  }
}
