import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { LanguageId } from '../../../core/catalog/languages.ts';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import { LANGUAGE_SUPPORT } from '../../../language/languages.ts';

/** The texts that a selection at `$0` grows through. */
function grow(language: LanguageId, marked: string): readonly string[] {
  const offset = marked.indexOf('$0');
  const doc = LANGUAGE_SUPPORT[language].open(marked.replace('$0', ''), DEFAULT_SETTINGS);
  return doc.selectionPath(offset).map(({ start, end }) => doc.text.slice(start, end));
}

describe('selections grow', () => {
  const cases: readonly (readonly [string, LanguageId, string, readonly string[]])[] = [
    [
      'from a word of a value to the file',
      'aicl',
      '# c\n[d:[s:a]:[l:[i:1],[s:two wo$0rds]],[s:b]:[i:2]]\n',
      [
        'words',
        'two words',
        '[s:two words]',
        '[i:1],[s:two words]',
        '[l:[i:1],[s:two words]]',
        '[s:a]:[l:[i:1],[s:two words]]',
        '[s:a]:[l:[i:1],[s:two words]],[s:b]:[i:2]',
        '[d:[s:a]:[l:[i:1],[s:two words]],[s:b]:[i:2]]',
        '# c\n[d:[s:a]:[l:[i:1],[s:two words]],[s:b]:[i:2]]\n',
      ],
    ],
    [
      'from a key',
      'aicl',
      '[s:k$0]:[i:1],[s:l]:[i:2]',
      ['k', '[s:k]', '[s:k]:[i:1]', '[s:k]:[i:1],[s:l]:[i:2]'],
    ],
    [
      'from a part of a tensor',
      'aicl',
      '[l:[t:int8:2,$02:abcde]]',
      ['2,2', 'int8:2,2:abcde', '[t:int8:2,2:abcde]', '[l:[t:int8:2,2:abcde]]'],
    ],
    ['in an unfinished message', 'aicl', '[d:[s:a]:[s:b$0', ['b', '[s:b', '[s:a]:[s:b', '[d:[s:a]:[s:b']],
    ['from a container line', 'aicl', '# one$0 two\n[d:]', ['# one two', '# one two\n[d:]']],
    ['between messages', 'aicl', '[d:]\n$0\n[d:]', ['[d:]\n\n[d:]']],
    ['in an empty AICL file', 'aicl', '$0', ['']],
    [
      'from a word of a field to the request with its replies',
      'aicf',
      '# c\nCALL|math.a$0dd|1\n# d\nSTREAM|x\nEND\n\nLIST\n',
      [
        'add',
        'math.add',
        'CALL|math.add|1',
        'CALL|math.add|1\n# d\nSTREAM|x\nEND',
        '# c\nCALL|math.add|1\n# d\nSTREAM|x\nEND\n\nLIST\n',
      ],
    ],
    [
      'from a reply',
      'aicf',
      'LIST\nTOOLS|$0a\nLIST',
      ['a', 'TOOLS|a', 'LIST\nTOOLS|a', 'LIST\nTOOLS|a\nLIST'],
    ],
    ['from a reply to nothing', 'aicf', 'O$0K\nLIST', ['OK', 'OK\nLIST']],
    ['from a comment', 'aicf', 'LIST\n# on$0e two\n', ['one', '# one two', 'LIST\n# one two\n']],
    [
      'in a section of a context file',
      'aicf',
      '@NOTES\none tw$0o\n\n@WORK\nx',
      ['two', 'one two', '@NOTES\none two', '@NOTES\none two\n\n@WORK\nx'],
    ],
    ['in an empty AICF file', 'aicf', '$0', ['']],
  ];
  for (const [title, language, marked, expected] of cases)
    it(title, () => assert.deepEqual(grow(language, marked), expected));

  it('grow at every place of a damaged text, each span in the next', () => {
    for (const [language, text] of [
      ['aicl', '# c\n[d:[s:a]:[l:[t:x:1:],,[s:b]\n] [s:]:[d: x\n[d:[s:a][i:1]]'],
      ['aicf', 'CALL|a\\|b||1\ncall|x\n OK|\r\nSTREAM|\n|\n```\nEND|x'],
    ] as const) {
      const doc = LANGUAGE_SUPPORT[language].open(text, DEFAULT_SETTINGS);
      for (let offset = 0; offset <= text.length; offset++) {
        const path = doc.selectionPath(offset);
        assert.deepEqual(path.at(-1), { start: 0, end: text.length });
        assert.ok(path[0] && path[0].start <= offset && offset <= path[0].end, `at ${offset}`);
        path.forEach((span, index) => {
          const outer = path[index + 1];
          assert.ok(!outer || (outer.start <= span.start && span.end <= outer.end));
        });
      }
    }
  });
});
