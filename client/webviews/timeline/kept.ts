import { isRecord } from '../../../core/guard.ts';

/** Choices that outlive the page while its panel is hidden. */
export class Kept {
  readonly #values: Record<string, string>;
  readonly #keep: (state: unknown) => void;

  /** `state` is what was kept last, whatever it is. */
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
