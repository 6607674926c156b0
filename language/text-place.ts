import type { Span } from '../core/text/span.ts';

/** A text value in a message: the span of its content, and the decoded text. */
export interface TextPlace {
  readonly span: Span;
  readonly text: string;
  /** The key of the value, or else the type of its message; empty if it has neither. */
  readonly name: string;
  /** True if the message is signed: the signature is invalid after a change of the text. */
  readonly isSigned: boolean;
}
