import type { Disposable, Event } from 'vscode';
import type { Tensor } from '../../../../tensor/tensor.ts';
import type { Member, Subject } from '../../../../wire/inspector-messages.ts';

/** The current content of a source. */
export interface TensorReading {
  readonly subject: Subject;
  /** If there is no tensor, `problem` is the reason as a sentence. */
  readonly content:
    | { readonly kind: 'ok'; readonly tensor: Tensor }
    | { readonly kind: 'fault'; readonly problem: string };
  /** What distinguishes it from others of the same name in the title of its tab, such as `message 2`. */
  readonly where?: string;
  /** Only for a source with several tensors. */
  readonly members?: readonly Member[];
}

/** The source of a tensor: a message of a document, or a file. */
export interface TensorSource extends Disposable {
  /** Fires when the content may have changed. */
  readonly onDidChange: Event<void>;
  /** Reads the current content. Does not throw; errors become a problem of the reading. */
  read(): Promise<TensorReading>;
  /** Shows its location. */
  reveal(): Promise<void>;
  /** Chooses another tensor of the same source; absent if there is only one. */
  pick?(member: string): void;
  /**
   * Replaces the tensor `before`, as one undoable edit. Returns a sentence if nothing was written: the tensor
   * is no longer `before`, or its document cannot be edited. Absent if the source is read-only.
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

/** The type and shape of a tensor. */
export type TensorForm = Pick<Tensor, 'dtype' | 'shape'>;

/** True for tensors of the same type and shape. */
export function isSameForm(one: TensorForm, other: TensorForm): boolean {
  return one.dtype === other.dtype && one.shape.join() === other.shape.join();
}
