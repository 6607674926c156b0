import { createHash } from 'node:crypto';
import { lstat, mkdir } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { quote } from '../../core/text/quote.ts';

/** Systems hold no longer address of a local socket, in bytes. */
const LONGEST = 103;

/** Where a window hears what other processes record: a local socket, or the sentence that says why there is none. */
type LivePlace =
  { readonly ok: true; readonly path: string } | { readonly ok: false; readonly message: string };

/**
 * The address of a local socket for what `key` names, the same one each time. Where sockets are files, it is in a folder
 * that is its user's alone: who may write to it may tell the window anything.
 */
export async function findLivePlace(key: string): Promise<LivePlace> {
  const name = `parley-${createHash('sha256').update(key).digest('hex').slice(0, 20)}`;
  if (process.platform === 'win32') return { ok: true, path: `\\\\.\\pipe\\${name}` };
  const { uid } = userInfo();
  const folder = join(tmpdir(), `parley-${uid}`);
  const path = join(folder, `${name}.sock`);
  if (Buffer.byteLength(path) > LONGEST)
    return {
      ok: false,
      message: `${quote(path, 200)} is too long for a socket; set TMPDIR to a shorter folder`,
    };
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const found = await lstat(folder);
    if (found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0) return { ok: true, path };
    return { ok: false, message: `${quote(folder, 200)} is open to other users; delete it` };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ok: false, message: `${quote(folder, 200)} cannot be used (${reason})` };
  }
}
