import type { AicfDialect } from '../core/catalog/languages.ts';

/** The dialect in which a text is read, and why. */
export interface DialectReading {
  readonly name: AicfDialect;
  /** The reason as a sentence for the user. */
  readonly reason: string;
}
