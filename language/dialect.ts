import type { AicfDialect } from '../core/catalog/aicf-dialects.ts';

/** Which dialect of its language a text is read in, and why. */
export interface DialectReading {
  readonly name: AicfDialect;
  /** A sentence for people. */
  readonly reason: string;
}
