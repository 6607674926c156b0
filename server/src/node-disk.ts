import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readRegularFile } from '../../agents/regular-file.ts';
import type { Disk, DiskFile, DiskListing } from './runtime.ts';
import { trimEndOf } from '../../core/text/trim.ts';

/** Maximum number of folders that are searched. */
const MAX_FOLDERS = 20_000;

interface Folder {
  readonly path: string;
  readonly uri: string;
}

/** The disk of a Node process. Unreadable files are left out. */
export const NODE_DISK: Disk = {
  list: listFiles,
  async read(uri, most) {
    try {
      // As in editors: a BOM is not part of the text, and invalid UTF-8 is replaced.
      return new TextDecoder().decode(await readRegularFile(fileURLToPath(uri), most));
    } catch {
      return undefined;
    }
  },
};

/** Lists files level by level and by name, so that a truncated listing has the files nearest to the roots. */
async function listFiles(
  roots: readonly string[],
  isWanted: (name: string) => boolean,
  most: number,
): Promise<DiskListing> {
  const files: DiskFile[] = [];
  const folders = roots.map(toFolder).filter(folder => folder !== undefined);
  const seen = new Set<string>();
  for (const folder of folders) {
    if (seen.has(folder.path)) continue;
    if (seen.size === MAX_FOLDERS) return { files, isWhole: false };
    seen.add(folder.path);
    const children = (await listFolder(folder.path)).map(entry => ({
      entry,
      path: join(folder.path, entry.name),
      uri: `${folder.uri}/${encodeURIComponent(entry.name)}`,
    }));
    folders.push(...children.filter(({ entry }) => entry.isDirectory() && !isLeftOut(entry.name)));
    const wanted = children.filter(({ entry }) => entry.isFile() && isWanted(entry.name));
    const room = most - files.length;
    const described = await Promise.all(wanted.slice(0, room).map(describeFile));
    files.push(...described.filter(file => file !== undefined));
    if (wanted.length > room) return { files, isWhole: false };
  }
  return { files, isWhole: true };
}

/** Hidden folders and installed npm packages are not sources. Links are not followed, because they may form a cycle. */
function isLeftOut(folder: string): boolean {
  return folder.startsWith('.') || folder === 'node_modules';
}

async function listFolder(path: string) {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function describeFile({ path, uri }: Folder): Promise<DiskFile | undefined> {
  const facts = await stat(path).catch(() => undefined);
  return facts && { uri, size: facts.size, stamp: `${facts.mtimeMs} ${facts.size}` };
}

/** Undefined for a folder that is not on disk, such as one of a virtual workspace. */
function toFolder(uri: string): Folder | undefined {
  try {
    return { path: join(fileURLToPath(uri)), uri: trimEndOf(uri, '/') };
  } catch {
    return undefined;
  }
}
