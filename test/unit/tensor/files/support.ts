import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
  FileFormat,
  FileReading,
  FileWriting,
  NamedTensor,
} from '../../../../tensor/files/file-format.ts';
import type { Tensor } from '../../../../tensor/tensor.ts';

/** A file of test/unit/tensor/fixtures. */
export function readFixture(name: string): Uint8Array {
  return new Uint8Array(readFileSync(join(import.meta.dirname, '../fixtures', name)));
}

export function bytesOf(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex.replace(/\s+/g, ''), 'hex'));
}

/** A text as Latin-1. */
export function latin1(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'latin1'));
}

export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

/** What was read, with the data in hexadecimal: comparable as a whole, and short when it fails. */
export function show(reading: FileReading): unknown {
  if (reading.kind === 'fault') return reading;
  const { tensors, notes, unread } = reading;
  return { tensors: tensors.map(showNamed), notes, ...(unread && { unread }) };
}

export function showNamed({ name, tensor: { dtype, shape, bytes } }: NamedTensor): string {
  return `${name} ${dtype}[${shape.join(',')}] ${Buffer.from(bytes).toString('hex')}`;
}

/** The bytes of a file that could be written. */
export function written(writing: FileWriting): Uint8Array {
  assert.equal(writing.kind, 'ok', writing.kind === 'fault' ? writing.problem : '');
  return writing.kind === 'ok' ? writing.bytes : new Uint8Array(0);
}

export function writeOne(format: FileFormat, tensor: Tensor): FileWriting {
  return format.write([{ name: '', tensor }]);
}

export function problemOf(answer: FileReading | FileWriting): string {
  return answer.kind === 'fault' ? answer.problem : 'no problem';
}

/**
 * The bytes that typed arrays and buffers ask for while something runs: what the sources of the project allocate, and
 * views are not counted.
 */
export function countAllocated(run: () => void): number {
  let allocated = 0;
  const watched = ['Uint8Array', 'Float64Array', 'Uint16Array', 'ArrayBuffer'] as const;
  const originals = watched.map(name => [name, globalThis[name]] as const);
  for (const [name, original] of originals) {
    const size = name === 'Float64Array' ? 8 : name === 'Uint16Array' ? 2 : 1;
    const counting = new Proxy(original, {
      construct(target, args: unknown[], newTarget: () => unknown) {
        if (typeof args[0] === 'number') allocated += args[0] * size;
        return Reflect.construct(target, args, newTarget) as object;
      },
    });
    Object.assign(globalThis, { [name]: counting });
  }
  try {
    run();
  } finally {
    Object.assign(globalThis, Object.fromEntries(originals));
  }
  return allocated;
}
