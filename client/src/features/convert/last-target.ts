import type { Memento } from 'vscode';
import { findConversion, type ConversionName } from '../../../../core/catalog/conversions.ts';

const KEY = 'lastConversion';

/** The last target protocol of a conversion, shared by all windows. */
export class LastTarget {
  readonly #state: Memento;

  constructor(state: Memento) {
    this.#state = state;
  }

  get(): ConversionName | undefined {
    return findConversion(this.#state.get<unknown>(KEY))?.name;
  }

  async set(name: ConversionName): Promise<void> {
    await this.#state.update(KEY, name);
  }
}
