import type { ExchangeNumber, StoredHeader } from './events.ts';

/** Observes traffic unchanged, before it is parsed. */
export interface ObservedWire {
  head(
    direction: 'out' | 'in',
    line: string,
    headers: readonly StoredHeader[],
    exchange?: ExchangeNumber,
  ): void;
  /** `rest` is `more` if the next bytes in this direction continue the same message. */
  bytes(
    direction: 'out' | 'in' | 'stderr',
    bytes: Uint8Array,
    rest?: 'more',
    exchange?: ExchangeNumber,
  ): void;
  note(text: string): void;
}
