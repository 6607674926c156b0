import type { Span } from '../core/text/span.ts';

/** A tensor in a document. Spans are UTF-16 offsets in the document. */
export interface TensorPlace {
  /** The whole value: `[t:…]`. */
  readonly span: Span;
  /** Empty, like `shape`, if the tensor has fewer than three parts. */
  readonly dtype: Span;
  readonly shape: Span;
  /** The Base85 text, including white space. */
  readonly payload: Span;
  /** The path in the message as used on the command line: `data`, `constraints.video`, `[3]`, `data[0]`. */
  readonly path: string;
  /** The number of the message, from 1; only messages with values count. */
  readonly message: number;
  /** The title of the message: its tool, query or type. */
  readonly title: string;
  /** True if the message is signed: the signature is invalid after a change of the tensor. */
  readonly isSigned: boolean;
}

/** Maximum number of tensors in a list. */
export const MAX_TENSORS = 1_000;
