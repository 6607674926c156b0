import { FileSystemError, workspace, type Uri } from 'vscode';
import { countOf } from '../../../../core/text/count.ts';
import type { FileFormat, NamedTensor } from '../../../../tensor/files/file-format.ts';
import { FILE_FORMATS, findFormat } from '../../../../tensor/files/file-formats.ts';
import {
  readSafetensorsHeader,
  tensorOfMember,
  type SafetensorsHeaderReading,
} from '../../../../tensor/files/safetensors-header.ts';
import { showBytes } from '../../../../tensor/size-words.ts';
import type { TensorResult } from '../../../../tensor/tensor.ts';
import type { Member } from '../../../../wire/inspector-messages.ts';
import { describeError } from '../../base/log.ts';
import { FileRefusal, readFile, type ReadRange } from '../../base/read-file.ts';

/** The content of a file: its tensors by name, each read on demand. */
export interface ArrayFile {
  readonly kind: 'ok';
  readonly members: readonly Member[];
  /** Sentences about conversions, and about parts of the file that are not among the members. */
  readonly notes: readonly string[];
  readTensor(name: string): Promise<TensorResult>;
}

type Fault = { readonly kind: 'fault'; readonly problem: string };

/**
 * The maximum size of a tensor, and of a file that is read as a whole, because it is sent to the page in one
 * message.
 */
export const MAX_BYTES = 256 * 1024 * 1024;

/** The formats that describe their own content. */
export const SELF_DESCRIBING: readonly FileFormat[] = FILE_FORMATS.filter(({ name }) => name !== 'bin');

/**
 * Opens a file of arrays. With `readRange`, for local files only, a safetensors file of any size is read by
 * its header, with its data on demand. Does not throw.
 */
export async function openArrayFile(uri: Uri, readRange: ReadRange | undefined): Promise<ArrayFile | Fault> {
  const format = findFormat(uri.path);
  if (!format || !SELF_DESCRIBING.includes(format)) return fault(describeEndings());
  try {
    const { size } = await workspace.fs.stat(uri);
    if (format.name === 'safetensors' && readRange && uri.scheme === 'file')
      return await openByHeader(size, (start, end) => readRange(uri, start, end));
    if (size > MAX_BYTES) return fault(`The file holds ${showBytes(size)}. ${LIMIT}`);
    const bytes = await readFile(uri, MAX_BYTES);
    if (format.name === 'safetensors')
      return await openByHeader(bytes.length, async (start, end) => bytes.subarray(start, end));
    const reading = format.read(bytes);
    return reading.kind === 'ok' ? fromTensors(reading.tensors, reading.notes) : reading;
  } catch (error) {
    return fault(
      error instanceof FileSystemError && error.code === 'FileNotFound'
        ? 'The file was deleted.'
        : error instanceof FileRefusal
          ? `The file ${error.message}.`
          : `The file cannot be read: ${describeError(error)}`,
    );
  }
}

const LIMIT = `Files of up to ${showBytes(MAX_BYTES)} are shown, and safetensors files of any size from a folder on a computer.`;

function describeEndings(): string {
  const endings = SELF_DESCRIBING.map(format => format.endings[0] ?? '');
  return `This is not a known kind of array file: ${endings.join(', ')}.`;
}

function fromTensors(tensors: readonly NamedTensor[], notes: readonly string[]): ArrayFile {
  return {
    kind: 'ok',
    members: tensors.map(({ name, tensor: { dtype, shape } }) => ({ name, dtype, shape })),
    notes,
    readTensor: async wanted => {
      const found = tensors.find(({ name }) => name === wanted);
      return found ? { kind: 'ok', tensor: found.tensor } : fault(missing(wanted));
    },
  };
}

type ReadBytes = (start: number, end: number) => Promise<Uint8Array>;

/** The size of the first read; most headers fit. */
const FIRST_READ = 65_536;

async function openByHeader(size: number, read: ReadBytes): Promise<ArrayFile | Fault> {
  let header: SafetensorsHeaderReading;
  let wanted = FIRST_READ;
  do {
    const start = await read(0, Math.min(size, wanted));
    header = readSafetensorsHeader(start, size);
    // A file that is truncated while it is read returns fewer bytes.
    if (header.kind === 'more' && start.length < Math.min(size, wanted))
      return fault(`The file ends inside its header, after ${countOf(start.length, 'byte')}.`);
    if (header.kind === 'more') wanted = header.needed;
  } while (header.kind === 'more');
  if (header.kind === 'fault') return header;
  const { members, notes } = header;
  return {
    kind: 'ok',
    members: members.map(({ name, dtype, shape, problem }) => ({
      name,
      dtype,
      shape,
      ...(problem !== undefined && { problem }),
    })),
    notes,
    readTensor: async wanted => {
      const member = members.find(({ name }) => name === wanted);
      if (!member) return fault(missing(wanted));
      if (member.problem !== undefined) return fault(member.problem);
      const length = member.end - member.start;
      if (length > MAX_BYTES)
        return fault(
          `The tensor holds ${showBytes(length)}. Tensors of up to ${showBytes(MAX_BYTES)} are shown.`,
        );
      const tensor = tensorOfMember(member, await read(member.start, member.end));
      return tensor ? { kind: 'ok', tensor } : fault('The file ended before the data of the tensor.');
    },
  };
}

function missing(name: string): string {
  return `The file no longer holds a tensor named ${name}.`;
}

function fault(problem: string): Fault {
  return { kind: 'fault', problem };
}
