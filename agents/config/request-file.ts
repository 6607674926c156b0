import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { quote } from '../../core/text/quote.ts';
import type { FileContent } from '../../language/variables/resolve.ts';
import { FileRefusal, readRegularFile } from '../regular-file.ts';

/** The maximum size in bytes of a file in a request. */
const MAX_BYTES = 10_000_000;

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
    const bytes = await readRegularFile(real, MAX_BYTES);
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
