import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { folds } from '../../../language/aicl/features/folds.ts';
import { editAicl, parseAicl } from '../../../language/aicl/parse.ts';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import { openText } from '../../support/shown-text.ts';
import { itAtFullSize, sized } from '../../support/size.ts';

const MESSAGE = '[d:\n  [s:a]:[l:\n    [i:1]\n  ]\n]\n';

/** The lines that fold, as `first-last`, and whether there are more. */
function lines(text: string, most?: number): readonly [readonly string[], boolean] {
  const doc = openText('aicl', text);
  const { folds: found, isCut } = doc.folds(most);
  const line = (offset: number): number => doc.text.lineAt(offset);
  return [found.map(({ span }) => `${line(span.start)}-${line(span.end)}`), isCut];
}

describe('AICL folds', () => {
  it('are messages, what is in them, wrapped data and runs of container lines', () => {
    const text = `# a\n# b\n${MESSAGE}\n# c\n\n# d\n[t:int8:2:\n00]\n[s:one\ntwo]\n[s:x]:[l:\n]\n# e\n# f\n# g`;
    assert.deepEqual(lines(text), [['0-1', '2-6', '3-5', '11-12', '15-16', '17-19'], false]);
  });

  it('are those of messages that are not finished', () => {
    assert.deepEqual(lines('[d:\n[s:a]:[l:\n[i:1],\n'), [['0-2', '1-2'], false]);
    assert.deepEqual(lines(''), [[], false]);
  });

  it('past the limit are those of messages before what is in them', () => {
    assert.deepEqual(lines(MESSAGE.repeat(3), 6), [['0-4', '1-3', '5-9', '6-8', '10-14', '11-13'], false]);
    assert.deepEqual(lines(MESSAGE.repeat(3), 5), [['0-4', '1-3', '5-9', '6-8', '10-14'], true]);
    assert.deepEqual(lines(MESSAGE.repeat(3), 2), [['0-4', '5-9'], true]);
    assert.deepEqual(lines(`# a\n# b\n${MESSAGE}`, 1), [['0-1'], true]);
  });

  it('of a message of many values are those of all', () => {
    const [found, isCut] = lines(`[l:\n${'[l:\n],'.repeat(200)}]`);
    assert.deepEqual([found.length, isCut], [201, false]);
  });

  itAtFullSize('of a message of very many values are those of its first ones', () => {
    const [found, isCut] = lines(`[l:\n${'[l:\n],'.repeat(20_000)}]`);
    assert.deepEqual([found.length, isCut], [10_001, true]);
  });

  it('after an edit cost the message that it touched', () => {
    const doc = parseAicl(MESSAGE.repeat(sized(2_000, 200)), DEFAULT_SETTINGS, () => []);
    const before = folds(doc, 5_000);
    const at = 10 * MESSAGE.length + 25;
    const edited = editAicl(doc, { span: { start: at, end: at }, newText: '' }, () => []);
    const read = edited.work.count;
    assert.deepEqual(folds(edited, 5_000), before);
    assert.ok(edited.work.count > read && edited.work.count - read < 20 * MESSAGE.length);
  });
});
