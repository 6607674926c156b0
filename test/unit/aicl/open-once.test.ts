import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import { LANGUAGE_SUPPORT } from '../../../language/languages.ts';
import { sized } from '../../support/size.ts';

/** Long enough for lexemes to be cached where edits may come: in the gate few entries with long texts are. */
const ENTRIES = sized(20_000, 140);
const TEXT = 'a'.repeat(sized(1, 1_000));

const TEXTS: Readonly<Record<string, string>> = {
  'a long list': `[l:${`[d:[s:${TEXT}]:[i:x],],`.repeat(ENTRIES)}]`,
  'a long list without its end': `[l:${`[d:[s:${TEXT}]:[i:1]],`.repeat(ENTRIES)}`,
  'a long list with foreign text in it': `[l:${`[s:${TEXT}], `.repeat(ENTRIES)}why [s:b]]\n[s:c]`,
};

describe('a text that is opened once', () => {
  const { aicl } = LANGUAGE_SUPPORT;
  for (const [name, text] of Object.entries(TEXTS)) {
    it(`says the same as one that is edited: ${name}`, () => {
      const once = aicl.openOnce(text, DEFAULT_SETTINGS);
      const edited = aicl.open(text, DEFAULT_SETTINGS);
      assert.deepEqual(once.validate(), edited.validate());
      assert.deepEqual([...once.format()], [...edited.format()]);
      assert.deepEqual([...once.messages()], [...edited.messages()]);
    });
  }

  it('takes an edit like any other', () => {
    const text = TEXTS['a long list'] ?? '';
    const edit = { span: { start: 3, end: 3 }, newText: '[s:b],' };
    const once = aicl.openOnce(text, DEFAULT_SETTINGS).edit(edit);
    assert.deepEqual(once.validate(), aicl.open(text, DEFAULT_SETTINGS).edit(edit).validate());
  });
});
