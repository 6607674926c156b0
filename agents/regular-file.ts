import { constants, type Stats } from 'node:fs';
import { open, realpath, stat, type FileHandle } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { countOf, showCount } from '../core/text/count.ts';
import { quote } from '../core/text/quote.ts';
import type { FileContent } from '../language/variables/resolve.ts';

/** The maximum size in bytes of a configuration file: agents.json, mcp.json, parley.env.json, certificates. */
export const MAX_CONFIG_BYTES = 4 * 2 ** 20;

/**
 * Why an existing file is not read: it is not a regular file, or it is too large. The message continues after
 * its name.
 */
export class FileRefusal extends Error {
  /** `irregular` for a pipe, a device, a socket or a folder. */
  readonly kind: 'irregular' | 'large';

  constructor(kind: 'irregular' | 'large', message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Opening does not wait for a pipe's writer or acquire a controlling terminal. Windows has neither flag. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK || 0) | (constants.O_NOCTTY || 0);

/**
 * Opens a regular file for reading and follows links. Rejects with a `FileRefusal` for anything else, without
 * opening it, because a device may act when it is opened. The opened file is checked again, because the path
 * may have changed meanwhile.
 */
export async function openRegularFile(path: string): Promise<FileHandle> {
  refuseIrregular(await stat(path));
  const file = await open(path, READ_FLAGS);
  try {
    refuseIrregular(await file.stat());
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * Reads a regular file. Rejects with a `FileRefusal` if it has more than `most` bytes or grows beyond them
 * meanwhile.
 */
export async function readRegularFile(path: string, most: number): Promise<Buffer> {
  const file = await openRegularFile(path);
  try {
    const { size } = await file.stat();
    if (size > most) throw tooLarge(size, most);
    return await readToEnd(file, size, most);
  } finally {
    await file.close();
  }
}

/** Files of /proc have the size 0, so reading ends only when no more bytes come. */
async function readToEnd(file: FileHandle, size: number, most: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for (let wanted = size + 1; ; wanted = PIECE) {
    const piece = Buffer.allocUnsafe(Math.min(wanted, most + 1 - length, LONGEST_READ));
    const { bytesRead } = await file.read(piece, 0, piece.length);
    if (bytesRead === 0) return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces, length);
    pieces.push(piece.subarray(0, bytesRead));
    length += bytesRead;
    if (length > most) throw tooLarge(length, most);
  }
}

const PIECE = 65_536;
/** The maximum number of bytes that the system reads at a time. */
const LONGEST_READ = 2 ** 30;

function refuseIrregular(stats: Stats): void {
  if (!stats.isFile()) throw new FileRefusal('irregular', `is ${describeKind(stats)}, not a regular file`);
}

function describeKind(stats: Stats): string {
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a pipe';
  if (stats.isSocket()) return 'a socket';
  return 'a device';
}

function tooLarge(size: number, most: number): FileRefusal {
  return new FileRefusal('large', `has ${countOf(size, 'byte')}, and at most ${showCount(most)} are read`);
}

/** The size of a file in bytes; 0 if it cannot be determined: reading the file reports why. */
export async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    return 0;
  }
}

/** The maximum size in bytes of a file in a request. */
const MAX_REQUEST_FILE = 10_000_000;

/** Where the files of a request are. */
export interface RequestFolder {
  /** The folder at which relative paths start. */
  readonly folder: string;
  /** The folder of the workspace, outside of which nothing is read; undefined for a file in no workspace. */
  readonly workspace: string | undefined;
}

/**
 * Reads a file that a request names, `{{file cat.png}}` or `{"$file": "cat.png"}` (reading of requests in files, section
 * 9). Links are followed, and the file must be inside the workspace after that.
 */
export async function readRequestFile(
  path: string,
  { folder, workspace }: RequestFolder,
): Promise<FileContent> {
  const shown = `The file ${quote(path)}`;
  if (workspace === undefined)
    return refuse(
      `${shown} is not sent: open the folder of this request, because only files of a workspace are`,
    );
  const outside = `${shown} is outside the workspace folder ${quote(workspace)}, and only files in it are sent`;
  const target = resolve(folder, path);
  // A path outside is refused whether or not there is a file.
  if (!isInside(target, workspace)) return refuse(outside);
  try {
    const real = await realpath(target);
    if (!isInside(real, await realpath(workspace))) return refuse(outside);
    const bytes = await readRegularFile(real, MAX_REQUEST_FILE);
    return { ok: true, base64: bytes.toString('base64') };
  } catch (error) {
    if (error instanceof FileRefusal) return refuse(`${shown} ${error.message}`);
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'ENOENT' || code === 'ENOTDIR') return refuse(`${shown} does not exist in ${quote(folder)}`);
    return refuse(`${shown} cannot be read${code === '' ? '' : ` (${code})`}`);
  }
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function refuse(problem: string): FileContent {
  return { ok: false, problem };
}
