import type { Span } from '../core/text/span.ts';

/** A text of a message: where its content stands, and what it reads as. */
export interface TextPlace {
  readonly span: Span;
  readonly text: string;
  /** The key that it is the value of, or the type of its message; empty where there is neither. */
  readonly name: string;
  /** True where its message is signed: the signature does not fit a changed text. */
  readonly isSigned: boolean;
}
