import { posix } from 'node:path';

/** The maximum number of sources that one folder holds, without those of the folders in it. */
const MAX_SOURCES = 40;

/** Folders whose files are all of one kind, one file for each: they may have any number. */
const OF_ONE_KIND = ['language/rules', 'server/src/features'];

/** Folders with more sources than a reader can survey, as sentences. */
export function findCrowdedFolders(sources: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const path of sources) {
    const folder = posix.dirname(path);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([folder, count]) => count > MAX_SOURCES && !isOfOneKind(folder))
    .map(([folder, count]) => `${folder} has ${count} files: group them by concept`);
}

function isOfOneKind(folder: string): boolean {
  return OF_ONE_KIND.some(each => folder === each || folder.startsWith(`${each}/`));
}
