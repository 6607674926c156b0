import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { findCrowdedFolders } from '../../scripts/architecture/folders.ts';
import { listSources } from '../../scripts/architecture/graph.ts';
import { ROOT } from '../../scripts/root.ts';

/** Paths of as many sources in a folder. */
function plant(folder: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${folder}/file-${index}.ts`);
}

describe('folders', () => {
  it('have at most 40 sources, unless all of them are of one kind', () => {
    assert.deepEqual(findCrowdedFolders(listSources(ROOT)), []);
  });

  it('a planted crowd is reported', () => {
    const planted = [
      ...plant('core/text', 41),
      ...plant('core/events', 40),
      ...plant('language/rules/aicl', 41),
      ...plant('server/src/features', 41),
    ];
    assert.deepEqual(findCrowdedFolders(planted), ['core/text has 41 files: group them by concept']);
  });
});
