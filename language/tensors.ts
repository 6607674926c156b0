import type { Span } from '../core/text/span.ts';

/** A tensor as it stands in a document. Spans are UTF-16 offsets in the document. */
export interface TensorPlace {
  /** The whole value: `[t:…]`. */
  readonly span: Span;
  /** Empty, as the shape is, in a tensor that has fewer than three parts. */
  readonly dtype: Span;
  readonly shape: Span;
  /** The Base85 text, white space included. */
  readonly payload: Span;
  /** Where it stands in its message, as it is named on the command line: `data`, `constraints.video`, `[3]`, `data[0]`. */
  readonly path: string;
  /** The message, from 1, counting those that hold values. */
  readonly message: number;
  /** The message's own name: its tool, query or type. */
  readonly title: string;
  /** True where the message is signed: its signature does not fit a changed tensor. */
  readonly isSigned: boolean;
}

/** A list of tensors never has more. */
export const MOST_TENSORS = 1_000;
