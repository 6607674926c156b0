import type { StoredHeader } from './events.ts';

/** Observes traffic unchanged, before it is parsed. */
export interface ObservedWire {
  head(direction: 'out' | 'in', line: string, headers: readonly StoredHeader[]): void;
  /** `rest` is `more` if the next bytes in this direction continue the same message. */
  bytes(direction: 'out' | 'in' | 'stderr', bytes: Uint8Array, rest?: 'more'): void;
  note(text: string): void;
}
