import type { Tensor } from '../tensor.ts';

/** A tensor of a file. */
export interface NamedTensor {
  /** Empty where the format has no names. */
  readonly name: string;
  readonly tensor: Tensor;
}

/** A tensor of a file by what the file's header says of it: its data need not be at hand. */
export interface FileMember {
  readonly name: string;
  /** As we name it: `float32`; a type that we do not know is named as the file names it. */
  readonly dtype: string;
  readonly shape: readonly number[];
  /** Why it cannot be read; absent for one that can. */
  readonly problem?: string;
  /** The bytes of its data in the file, `[start, end)`. */
  readonly start: number;
  readonly end: number;
}

/** What a file holds. The tensors may share memory with the bytes that were read. */
export type FileReading =
  | {
      readonly kind: 'ok';
      readonly tensors: readonly NamedTensor[];
      /** Sentences for the reader: what was converted, and what of the file is not among the tensors. */
      readonly notes: readonly string[];
      /** The names of arrays that could not be read: a note says why of each. Left out where all were. */
      readonly unread?: readonly string[];
    }
  | Fault;

/** What a file would be. */
export type FileWriting =
  | {
      readonly kind: 'ok';
      readonly bytes: Uint8Array;
      /** Sentences for the reader: what the file does not keep. */
      readonly notes: readonly string[];
    }
  | Fault;

/** What is wrong, where, and what to do, in sentences. */
export interface Fault {
  readonly kind: 'fault';
  readonly problem: string;
}

/** What the reader of a file without a header has to be told. */
export interface WantedTensor {
  readonly dtype: string;
  readonly shape: readonly number[];
}

/** A kind of file that holds arrays. Both functions are total, and linear in the file and in the tensors. */
export interface FileFormat {
  readonly name: 'npy' | 'npz' | 'safetensors' | 'csv' | 'png' | 'bin';
  /** For people: `NumPy array`. */
  readonly title: string;
  /** File endings in lower case, with their dots; the first is the one to write. */
  readonly endings: readonly string[];
  readonly holds: 'one' | 'several';
  /** `wanted` is for files that do not say what they hold; others pass it over. */
  read(bytes: Uint8Array, wanted?: WantedTensor): FileReading;
  write(tensors: readonly NamedTensor[]): FileWriting;
}

export function fault(problem: string): Fault {
  return { kind: 'fault', problem };
}

/** The tensor to write in a file that holds one, or why there is none. */
export function onlyTensor(tensors: readonly NamedTensor[], title: string): NamedTensor | Fault {
  const [first] = tensors;
  if (first && tensors.length === 1) return first;
  return fault(
    tensors.length === 0
      ? `There is no tensor to write.`
      : `A ${title} file holds one tensor, and there are ${tensors.length}: pick one, or write an npz or safetensors file.`,
  );
}
