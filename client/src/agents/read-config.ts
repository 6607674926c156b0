import { FileSystemError, type Uri } from 'vscode';
import {
  FileRefusal as NodeRefusal,
  MOST_CONFIG_BYTES,
  readRegularFile,
} from '../../../agents/regular-file.ts';
import { decodeUtf8 } from '../../../core/events/bytes.ts';
import { FileRefusal, readFile } from '../read-file.ts';

/** The text of a file of configuration, none where there is no file, or why it is not read: words that go on after its name. */
export type ConfigReading =
  { readonly ok: true; readonly text: string | undefined } | { readonly ok: false; readonly message: string };

/** Reads a file of configuration, such as `agents.json`, if it is a regular file of at most 4 MiB. Does not reject. */
export async function readConfig(file: Uri): Promise<ConfigReading> {
  try {
    // Of files on this computer what was opened is checked, and not what the path was before.
    const bytes =
      file.scheme === 'file'
        ? await readRegularFile(file.fsPath, MOST_CONFIG_BYTES)
        : await readFile(file, MOST_CONFIG_BYTES);
    const text = decodeUtf8(bytes);
    return text === undefined ? { ok: false, message: 'is not UTF-8' } : { ok: true, text };
  } catch (error) {
    if (isMissing(error)) return { ok: true, text: undefined };
    return { ok: false, message: describe(error) };
  }
}

function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (error instanceof FileSystemError) return code === 'FileNotFound';
  return code === 'ENOENT' || code === 'ENOTDIR';
}

function describe(error: unknown): string {
  if (error instanceof FileRefusal || error instanceof NodeRefusal) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  return `cannot be read (${code})`;
}
