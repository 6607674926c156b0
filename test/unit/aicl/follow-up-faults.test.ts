import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import { LANGUAGE_SUPPORT } from '../../../language/languages.ts';
import type { OpenDocument } from '../../../language/support.ts';
import { applyEdits } from '../../../core/text/edit.ts';

function open(text: string): OpenDocument {
  return LANGUAGE_SUPPORT.aicl.open(text, DEFAULT_SETTINGS);
}

/** The errors as `code offset`. */
function errorsOf(text: string): readonly string[] {
  return open(text)
    .validate()
    .filter(issue => issue.severity === 'error')
    .map(issue => `${issue.code} ${issue.span.start}`);
}

describe('AICL faults that follow from others', () => {
  const texts: readonly (readonly [string, string, readonly string[]])[] = [
    ['a field with several faults is one', '[d:[s:a]: x [s:b] y,[s:c]:[i:1]]', ['aicl/foreign-text 10']],
    [
      'fields that are wrong each for itself are told each',
      '[d:[s:a] [i:1],[s:b]:[i:2],[s:c]::[i:3]]',
      ['aicl/missing-colon 9', 'aicl/extra-colon 33'],
    ],
    [
      'commas that are missing are told each',
      '[d:[s:a]:[i:1] [s:b]:[i:2] [s:c]:[i:3]]',
      ['aicl/missing-comma 15', 'aicl/missing-comma 27'],
    ],
    [
      'a fault in a value is not one of its field',
      '[d:[s:a] [l:[i:1] [i:2]]]',
      ['aicl/missing-colon 9', 'aicl/missing-comma 18'],
    ],
    ['values without keys in a row are one', '[d:[i:1],[i:2],[i:3]]', ['aicl/missing-key 3']],
    [
      'values without keys apart from each other are told each',
      '[d:[i:1],[s:a]:[i:2],[i:3]]',
      ['aicl/missing-key 3', 'aicl/missing-key 21'],
    ],
    [
      'what an opening too many puts on a wrong level is one',
      '[d:[s:a]:[l:[l:[i:1]],[s:b]:[i:2],[s:c]:[i:3]]',
      ['aicl/pair-in-list 27', 'aicl/missing-bracket 45'],
    ],
    ['a colon behind the head of its value', '[d:[s:a][t::uint8:1:00]]', ['aicl/missing-colon 11']],
    ['a colon behind the head of its dictionary', '[d:[s:a][d::[s:b]:[i:1]]]', ['aicl/missing-colon 11']],
    ['foreign text before a colon', '[l:[i:1],x:]', ['aicl/foreign-text 9']],
    ['a value behind a whole pair', '[d:[s:a]:[s:b]:[i:1]]', ['aicl/missing-key 14']],
  ];
  for (const [name, text, expected] of texts) it(name, () => assert.deepEqual(errorsOf(text), expected));

  it('the fix of a colon behind a head makes the message whole', () => {
    for (const text of ['[d:[s:a][i::1]]', '[d:[s:a][d::[s:b]:[i:1]]]', '[d:[s:a][l::[i:1]]]']) {
      const [issue] = open(text)
        .validate()
        .filter(({ code }) => code === 'aicl/missing-colon');
      const mended = applyEdits(text, issue?.fixes?.[0]?.edits ?? []);
      assert.equal(mended, text.replace('[s:a]', '[s:a]:').replace('::', ':'));
      assert.deepEqual(errorsOf(mended), []);
    }
  });
});
