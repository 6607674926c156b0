import type { Disposable, Event } from 'vscode';
import type { Tensor } from '../../../tensor/tensor.ts';
import type { Member, Subject } from '../../../wire/inspector-messages.ts';

/** What a source holds now. */
export interface TensorReading {
  readonly subject: Subject;
  /** A sentence says why there is no tensor, with the numbers. */
  readonly content:
    { readonly kind: 'ok'; readonly tensor: Tensor } | { readonly kind: 'fault'; readonly problem: string };
  /** Only of a source that holds several. */
  readonly members?: readonly Member[];
}

/** Where a tensor comes from: a message of a document, or a file. */
export interface TensorSource extends Disposable {
  /** What it holds may be another now. */
  readonly onDidChange: Event<void>;
  /** Reads it anew. Does not throw: what goes wrong is a problem of the reading. */
  read(): Promise<TensorReading>;
  /** Shows where it stands. */
  reveal(): Promise<void>;
  /** Takes another tensor of the same source; only where there are several. */
  pick?(member: string): void;
  /**
   * Puts another tensor into the place of `before`, as one edit that can be undone. Answers a sentence where it wrote
   * nothing: the tensor is no longer `before`, or its document takes no edit. Absent where nothing can be written.
   */
  readonly write?: ((before: Tensor, after: Tensor) => Promise<string | undefined>) | undefined;
}

/** True for tensors of the same type, shape and bytes. */
export function isSameTensor(one: Tensor, other: Tensor): boolean {
  return (
    isSameForm(one, other) &&
    one.bytes.length === other.bytes.length &&
    one.bytes.every((byte, at) => byte === other.bytes[at])
  );
}

/** What a tensor is, without its data. */
export type TensorForm = Pick<Tensor, 'dtype' | 'shape'>;

/** True for tensors of the same type and shape. */
export function isSameForm(one: TensorForm, other: TensorForm): boolean {
  return one.dtype === other.dtype && one.shape.join() === other.shape.join();
}
