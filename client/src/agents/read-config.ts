import { FileSystemError, type Uri } from 'vscode';
import {
  FileRefusal as NodeRefusal,
  MAX_CONFIG_BYTES,
  readRegularFile,
} from '../../../agents/regular-file.ts';
import { decodeUtf8 } from '../../../core/events/bytes.ts';
import { FileRefusal, readFile } from '../base/read-file.ts';

/**
 * The text of a configuration file (undefined if it does not exist), or the reason why it is not read, as the
 * end of a sentence that begins with its name.
 */
export type ConfigReading =
  | { readonly ok: true; readonly text: string | undefined }
  | { readonly ok: false; readonly message: string };

let last: Promise<unknown> = Promise.resolve();

/**
 * Does work with a configuration file after all earlier work with one: VS Code empties a file before it writes it, and
 * who reads it in that moment would find no agents.
 */
function inTurn<T>(work: () => PromiseLike<T>): Promise<T> {
  const done = last.then(work);
  last = done.catch(() => undefined);
  return done;
}

/** Writes a configuration file while nothing here reads one. Rejects as `write` does. */
export function writeConfig(write: () => PromiseLike<unknown>): Promise<unknown> {
  return inTurn(write);
}

/** Reads a configuration file, such as `agents.json`, if it is a regular UTF-8 file of at most 4 MiB. Never rejects. */
export async function readConfig(file: Uri): Promise<ConfigReading> {
  try {
    // For local files the opened file is checked, because the path may change before it is opened.
    const bytes = await inTurn(() =>
      file.scheme === 'file'
        ? readRegularFile(file.fsPath, MAX_CONFIG_BYTES)
        : readFile(file, MAX_CONFIG_BYTES),
    );
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
