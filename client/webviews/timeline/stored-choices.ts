import { isRecord } from '../../../core/guard.ts';

/** Choices that are stored while the panel is hidden. */
export class StoredChoices {
  readonly #values: Record<string, string>;
  readonly #keep: (state: unknown) => void;

  /** `state` is the last stored value, of any type. */
  constructor(state: unknown, keep: (state: unknown) => void) {
    const values = isRecord(state) ? Object.entries(state) : [];
    this.#values = Object.fromEntries(
      values.flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
    );
    this.#keep = keep;
  }

  get(key: string): string | undefined {
    return Object.hasOwn(this.#values, key) ? this.#values[key] : undefined;
  }

  set(key: string, value: string): void {
    if (this.get(key) === value) return;
    this.#values[key] = value;
    this.#keep({ ...this.#values });
  }
}
