import { constants } from 'node:buffer';
import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { FileRefusal, readRegularFile } from '../../agents/regular-file.ts';
import { LANGUAGES, type LanguageId } from '../../core/catalog/languages.ts';
import { languageOfFile } from '../../language/languages.ts';
import { SourceText } from '../../core/text/source-text.ts';
import { UsageError } from './exit.ts';
import { notUtf8, type Finding } from './findings.ts';
import { readInput, type Terminal } from './terminal.ts';
import { decodeUtf8 } from './utf8.ts';

/** A file to read: its name as shown to the user (`-` for standard input), and optionally one message of it. */
export interface FileTarget {
  readonly name: string;
  /** The number of the message that `FILE:N` selects, from 1. */
  readonly message?: number;
}

/** The text of a file, with its language. */
export interface SourceFile extends FileTarget {
  readonly language: LanguageId;
  readonly text: string;
  /** True if the file begins with a byte order mark. `text` does not contain it. */
  readonly hasBom: boolean;
}

/** The file, or a finding that describes why it cannot be read. */
export type ReadFile =
  | { readonly ok: true; readonly file: SourceFile }
  | { readonly ok: false; readonly name: string; readonly finding: Finding };

/** Whether a file in a folder belongs to the files to read, by its path. */
type IsWanted = (path: string) => boolean;

/**
 * Expands paths to files, in order. A folder expands to every file below it that is wanted, by default every .aicl and .aicf
 * file, except in hidden folders and node_modules; any other path is itself. Throws a UsageError for a path that does not exist.
 */
export async function findFiles(
  terminal: Terminal,
  paths: readonly string[],
  isWanted: IsWanted = path => languageOfFile(path) !== undefined,
): Promise<readonly FileTarget[]> {
  const found: (readonly FileTarget[])[] = [];
  for (const path of paths) found.push(await expandPath(terminal.cwd, path, isWanted));
  return found.flat();
}

async function expandPath(cwd: string, path: string, isWanted: IsWanted): Promise<readonly FileTarget[]> {
  if (path === '-') return [{ name: path }];
  // The empty path, usually a shell variable without a value, would resolve to the whole working folder.
  if (path === '') throw new UsageError("Cannot open '': the path is empty; name a file, a folder or -");
  const kind = await kindOf(cwd, path);
  if (kind === 'folder') return listFolder(cwd, path, isWanted);
  if (kind === 'file') return [{ name: toName(path) }];
  const picked = /^(.+):([1-9]\d*)$/.exec(path);
  const [, file = '', message] = picked ?? [];
  if (message && (file === '-' || (await kindOf(cwd, file)) === 'file')) {
    return [{ name: toName(file), message: Number(message) }];
  }
  throw new UsageError(`Cannot open '${path}': there is no such file or folder`);
}

async function kindOf(cwd: string, path: string): Promise<'file' | 'folder' | undefined> {
  try {
    return (await stat(resolve(cwd, path))).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw cannotOpen(path, error);
  }
}

async function listFolder(cwd: string, folder: string, isWanted: IsWanted): Promise<readonly FileTarget[]> {
  const entries = await readdir(resolve(cwd, folder), { withFileTypes: true }).catch((error: unknown) => {
    throw cannotOpen(folder, error);
  });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const found: FileTarget[] = [];
  for (const entry of entries) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const path = join(folder, entry.name);
    // Linked folders are skipped: a link to a parent folder would recurse without end.
    if (entry.isDirectory()) {
      for (const below of await listFolder(cwd, path, isWanted)) found.push(below);
    } else if (isWanted(path) && (await kindOf(cwd, path)) === 'file') {
      found.push({ name: toName(path) });
    }
  }
  return found;
}

/**
 * Reads a file. The language is `language`, else that of the file name's ending, else guessed from the text.
 * Bytes that are not UTF-8 give a finding. Throws a UsageError for a file that cannot be opened.
 */
export async function readSource(
  terminal: Terminal,
  target: FileTarget,
  language: LanguageId | undefined,
): Promise<ReadFile> {
  const decoded = decodeUtf8(await readBytes(terminal, target.name));
  if (!decoded.ok) {
    const at = SourceText.of(decoded.textBefore).toPosition(decoded.textBefore.length);
    return { ok: false, name: target.name, finding: notUtf8(target.name, decoded.badByte, at) };
  }
  const known = language ?? languageOfFile(target.name) ?? guessLanguage(decoded.text);
  return { ok: true, file: { ...target, language: known, text: decoded.text, hasBom: decoded.hasBom } };
}

/** The maximum size of a text file in bytes, from the maximum length of a string. */
const MAX_TEXT_BYTES = constants.MAX_STRING_LENGTH;

/**
 * Reads a regular file, or standard input for `-`. Throws a UsageError for a file that cannot be opened, is
 * not regular (such as a pipe), or has more than `most` bytes.
 */
export async function readBytes(
  terminal: Terminal,
  name: string,
  most = MAX_TEXT_BYTES,
): Promise<Uint8Array> {
  if (name === '-') return readInput(terminal);
  try {
    return await readRegularFile(resolve(terminal.cwd, name), most);
  } catch (error) {
    const { message } = cannotOpen(name, error);
    const isPipe = error instanceof FileRefusal && error.kind === 'irregular';
    throw new UsageError(isPipe ? `${message}; name - and pipe its content to the command instead` : message);
  }
}

/** Guesses the language: a line that begins with a bracket is AICL, because no AICF line does. */
function guessLanguage(text: string): LanguageId {
  const firstLine = text.split(/\r\n|\r|\n/, 1000).find(line => !/^\s*(#.*)?$/.test(line)) ?? '';
  return firstLine.trimStart().startsWith('[') ? 'aicl' : 'aicf';
}

/** The language that `--language` selects; undefined for none. */
export function readLanguage(name: string | undefined): LanguageId | undefined {
  return LANGUAGES.find(row => row.id === name)?.id;
}

function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** The error for a path that exists but cannot be read. */
export function cannotOpen(path: string, error: unknown): UsageError {
  const code = codeOf(error) ?? String(error);
  const reason = error instanceof FileRefusal ? `it ${error.message}` : (REASONS.get(code) ?? code);
  return new UsageError(`Cannot open '${path}': ${reason}`);
}

/** Explanations of system error codes, with advice. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['EISDIR', 'it is a folder; name a file'],
  ['EACCES', 'you may not read it (EACCES); change its rights or name another one'],
  ['EPERM', 'the system does not allow it (EPERM); name another one'],
  ['ELOOP', 'its links lead in a circle; name the file itself'],
  ['ENAMETOOLONG', 'the name is too long (ENAMETOOLONG); check it'],
  ['EMFILE', 'too many files are open (EMFILE); close some and try again'],
]);

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** File names in results use slashes on every system. */
function toName(path: string): string {
  return process.platform === 'win32' ? path.replaceAll('\\', '/') : path;
}
