import type { Tensor } from '../tensor.ts';

/** A tensor in a file. */
export interface NamedTensor {
  /** Empty if the format has no names. */
  readonly name: string;
  readonly tensor: Tensor;
}

/** A tensor as described by the file's header; its data may not be in memory. */
export interface FileMember {
  readonly name: string;
  /** Our name for the data type, such as `float32`, or the file's own name if the type is unknown. */
  readonly dtype: string;
  readonly shape: readonly number[];
  /** Why the tensor cannot be read; absent if it can. */
  readonly problem?: string;
  /** The byte range of its data in the file, `[start, end)`. */
  readonly start: number;
  readonly end: number;
}

/** The result of reading a file. The tensors may share memory with the input bytes. */
export type FileReading =
  | {
      readonly kind: 'ok';
      readonly tensors: readonly NamedTensor[];
      /** Sentences for the user: what was converted, and what was left out. */
      readonly notes: readonly string[];
      /** The names of arrays that could not be read, each explained by a note; absent if there are none. */
      readonly unread?: readonly string[];
    }
  | Fault;

/** The result of encoding a file. */
export type FileWriting =
  | {
      readonly kind: 'ok';
      readonly bytes: Uint8Array;
      /** Sentences for the user: what the file does not preserve. */
      readonly notes: readonly string[];
    }
  | Fault;

/** What is wrong, where, and how to resolve it, in sentences. */
export interface Fault {
  readonly kind: 'fault';
  readonly problem: string;
}

/** What the user must specify to read a file without a header. */
export interface WantedTensor {
  readonly dtype: string;
  readonly shape: readonly number[];
}

/** A file format for arrays. Both functions never throw, and are linear in the file and in the tensors. */
export interface FileFormat {
  readonly name: 'npy' | 'npz' | 'safetensors' | 'csv' | 'png' | 'bin';
  /** The title shown to users, such as `NumPy array`. */
  readonly title: string;
  /** File extensions in lower case with their dots; the first one is used for writing. */
  readonly endings: readonly string[];
  readonly holds: 'one' | 'several';
  /** `wanted` is used only by formats without a header. */
  read(bytes: Uint8Array, wanted?: WantedTensor): FileReading;
  write(tensors: readonly NamedTensor[]): FileWriting;
}

export function fault(problem: string): Fault {
  return { kind: 'fault', problem };
}

/** The single tensor to write to a file that contains one, or a fault. */
export function onlyTensor(tensors: readonly NamedTensor[], title: string): NamedTensor | Fault {
  const [first] = tensors;
  if (first && tensors.length === 1) return first;
  return fault(
    tensors.length === 0
      ? `There is no tensor to write.`
      : `A ${title} file holds one tensor, and there are ${tensors.length}: pick one, or write an npz or safetensors file.`,
  );
}
