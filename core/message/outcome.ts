import type { ErrorMeaning } from '../catalog/error-meanings.ts';

/** What an agent answered, whatever its protocol: the neutral message of a reply. */
export type Outcome = ResultOutcome | ErrorOutcome;

export interface ResultOutcome {
  readonly kind: 'result';
}

export interface ErrorOutcome {
  readonly kind: 'error';
  /** The name of the protocol. */
  readonly protocol: string;
  /** The protocol's own code as it was written; undefined where there was none. */
  readonly code: string | undefined;
  /** What the code means; undefined for a code without a row. */
  readonly meaning: ErrorMeaning | undefined;
  /** One sentence for a person, never empty. */
  readonly text: string;
}
