import type { Span } from '../core/text/span.ts';

/** How a call is written, for a reader who is writing one. */
export interface Signature {
  /** One line. */
  readonly label: string;
  /** Markdown; empty where there is nothing to say. */
  readonly documentation: string;
  readonly parameters: readonly SignatureParameter[];
  /** The parameter that the cursor is in; past the last one where the call has too many arguments. */
  readonly active: number;
}

/** One parameter, and where it stands in the label. */
export interface SignatureParameter {
  readonly span: Span;
  /** Markdown. */
  readonly documentation: string;
}
