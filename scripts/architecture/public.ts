import { globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { readFields } from '../../core/text/fields.ts';
import type { Import } from './graph.ts';
import { walkSource } from './syntax.ts';

/**
 * The public files of a room by its folder: the `exports` of its package.json. Other rooms import these files by
 * path. Node does not read the list, because an import by path needs none.
 */
export type PublicFiles = ReadonlyMap<string, readonly string[]>;

/** Rooms that may import any file: they measure, generate from, test or publish what is inside another room. */
const INSIDERS = ['scripts', 'bench', 'test', 'npm'];

/** Reads the public files of all rooms, as paths relative to the project; empty for a room without `exports`. */
export function readPublicFiles(root: string): PublicFiles {
  const manifests = globSync('*/package.json', { cwd: root }).sort();
  return new Map(
    manifests.map(manifest => {
      const value: unknown = JSON.parse(readFileSync(join(root, manifest), 'utf8'));
      const exported = readFields(readFields(value)?.get('exports')) ?? new Map<string, unknown>();
      const room = dirname(manifest);
      return [room, [...exported.keys()].map(path => posix.join(room, path))];
    }),
  );
}

/** Sentences about imports of files that are not public. */
export function checkPublicImports(imports: readonly Import[], files: PublicFiles): readonly string[] {
  return listForeign(imports)
    .filter(({ to }) => files.get(roomOf(to))?.includes(to) !== true)
    .map(
      ({ from, line, specifier, to }) =>
        `${from}:${line} imports '${specifier}', which is not in the 'exports' of ${roomOf(to)}/package.json`,
    );
}

/** The maximum number of public files of a room; the core, which all rooms use, has more. */
const MAX_PUBLIC = 40;
const MAX_PUBLIC_OF_CORE = 60;

/** Sentences about rooms with too many public files. */
export function checkPublicCounts(files: PublicFiles): readonly string[] {
  return [...files].flatMap(([room, { length }]) => {
    const most = room === 'core' ? MAX_PUBLIC_OF_CORE : MAX_PUBLIC;
    return length > most
      ? [`${room}/package.json exports ${length} files, and at most ${most} may be public`]
      : [];
  });
}

/** Public files that no other room imports. */
export function findNeedlessPublic(imports: readonly Import[], files: PublicFiles): readonly string[] {
  const used = new Set(listForeign(imports).map(({ to }) => to));
  return [...files.values()].flat().filter(path => !used.has(path));
}

/** True if a source begins with a comment, or the first export that it declares is documented. */
export function hasOpening(path: string, text: string): boolean {
  if (text.startsWith('/**')) return true;
  let isDocumented = false;
  walkSource(path, text, node => {
    if (node.type !== 'Program') return;
    const first = node.body.find(
      statement => statement.type === 'ExportNamedDeclaration' && statement.declaration !== null,
    );
    isDocumented = first !== undefined && text.slice(0, first.start).trimEnd().endsWith('*/');
  });
  return isDocumented;
}

interface ForeignImport extends Import {
  /** The imported file, which is in another room than `from`. */
  readonly to: string;
}

/** The imports of files of other rooms, without those of programs that may import any. */
function listForeign(imports: readonly Import[]): readonly ForeignImport[] {
  return imports.flatMap(one => {
    if (one.target.kind !== 'file' || INSIDERS.includes(roomOf(one.from))) return [];
    const to = one.target.path;
    return roomOf(to) === roomOf(one.from) ? [] : [{ ...one, to }];
  });
}

/** The top folder of a file: its package. */
function roomOf(path: string): string {
  return path.split('/')[0] ?? '';
}
