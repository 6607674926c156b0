import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { formatTypedAicf } from '../../../language/aicf/format-typed.ts';
import { formatAicf } from '../../../language/aicf/format.ts';
import { listLines, parseAicf } from '../../../language/aicf/parse.ts';
import { fieldSource } from '../../../language/aicf/ast.ts';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import { applyEdits } from '../../../core/text/edit.ts';
import { readMarks } from '../../support/marks.ts';
import { nastyText } from './nasty.ts';
import { runs } from '../../support/size.ts';

function format(text: string): string {
  return applyEdits(text, formatAicf(parseAicf(text, DEFAULT_SETTINGS), { start: 0, end: text.length }));
}

/** All that a reader gets from a file: commands and fields, and text that could not be read. */
function readAll(text: string): unknown {
  return [...listLines(parseAicf(text, DEFAULT_SETTINGS))]
    .map(({ text: line, tree }): readonly string[] => {
      if (tree.kind === 'foreign') return [line];
      if (tree.kind !== 'command') return [];
      const word = line.slice(tree.word.start, tree.word.end);
      return [word, ...tree.pipes.map((_, index) => fieldSource(line, tree, index))];
    })
    .filter(found => found.length > 0);
}

describe('AICF format', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['', ''],
    ['\n\n', ''],
    ['LIST', 'LIST\n'],
    ['  CALL |t| a ', 'CALL|t| a \n'],
    ['LIST  \r\n\r\n\r\n\r\n\r\nLIST', 'LIST\r\n\r\n\r\nLIST\r\n'],
    ['  # note  \n \nLIST\n\n\n', '  # note\n\nLIST\n'],
    ['Request:  LIST \n', 'Request:  LIST\n'],
    ['OK|{\n  "a": 1 \n\n\n\n}\n', 'OK|{\n  "a": 1 \n\n\n\n}\n'],
    ['@STATE \n\n\n\na=b', '@STATE \n\n\n\na=b'],
  ];
  for (const [text, expected] of cases) {
    it(`makes ${JSON.stringify(expected)} of ${JSON.stringify(text)}`, () =>
      assert.equal(format(text), expected));
  }

  it('keeps every field and gives the same result when it runs again, whatever the text', () => {
    fc.assert(
      fc.property(nastyText(), text => {
        const formatted = format(text);
        assert.equal(format(formatted), formatted);
        assert.deepEqual(readAll(formatted), readAll(text));
      }),
      { numRuns: runs(3_000) },
    );
  });
});

describe('AICF format: a range', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['formats the lines that it touches', 'LIST \n LI«ST \nL»IST \nLIST ', 'LIST \nLIST\nLIST\nLIST '],
    ['formats the line of a cursor', 'LIST \nLI«»ST \nLIST ', 'LIST \nLIST\nLIST '],
    ['leaves the line at whose start it ends', '«LIST \n»LIST \n', 'LIST\nLIST \n'],
    ['shortens blank lines between lines that it touches', 'L«IST\n\n \n\n\nL»IST ', 'LIST\n\n\nLIST'],
    [
      'leaves blank lines at its edges',
      'OK|{\n«\n\n\n\n"a": 1\n\n\n\n»}\n',
      'OK|{\n\n\n\n\n"a": 1\n\n\n\n}\n',
    ],
    ['leaves blank lines that it does not hold', 'L«I»ST\n\n\n\n\nLIST', 'LIST\n\n\n\n\nLIST'],
    ['ends the file where it ends', 'LIST \n«LIST\n\n»', 'LIST \nLIST\n'],
    ['leaves the line before blank ones at the end', 'LIST \n\n«\n\n»', 'LIST \n\n\n\n'],
    ['finds nothing in an empty file', '«»', ''],
    ['leaves a context file', '«@STATE \na=b »', '@STATE \na=b '],
  ];
  for (const [what, marked, expected] of cases) {
    it(what, () => {
      const { text, spans } = readMarks(marked);
      const [span] = spans;
      assert.ok(span);
      const doc = parseAicf(text, DEFAULT_SETTINGS);
      assert.equal(applyEdits(text, formatAicf(doc, span)), expected);
    });
  }

  it('keeps every field and leaves the lines outside, whatever the text', () => {
    fc.assert(
      fc.property(nastyText(), fc.nat(), fc.nat(), (text, a, b) => {
        const [start = 0, end = 0] = [a % (text.length + 1), b % (text.length + 1)].sort((x, y) => x - y);
        const doc = parseAicf(text, DEFAULT_SETTINGS);
        const edits = formatAicf(doc, { start, end });
        assert.deepEqual(readAll(applyEdits(text, edits)), readAll(text));
        const first = doc.text.lineStart(doc.text.lineAt(start));
        for (const { span } of edits) assert.ok(first <= span.start, `${span.start} of ${start}-${end}`);
      }),
      { numRuns: runs(3_000) },
    );
  });
});

describe('AICF format: on type', () => {
  const cases: readonly (readonly [string, string, string, string])[] = [
    ['Enter formats the line before', ' LIST \n$0', '\n', 'LIST\n'],
    ['Enter in a line formats what is left of it', ' CALL|a \n$0 b |c', '\n', 'CALL|a \n b |c'],
    ['Enter after a comment', '# a \n$0', '\n', '# a\n'],
    ['other characters', ' LIST |]$0', ']', ' LIST |]'],
    ['the first line', '$0 LIST ', '\n', ' LIST '],
    ['a context file', '@STATE \na=b \n$0', '\n', '@STATE \na=b \n'],
  ];
  for (const [what, marked, character, expected] of cases) {
    it(what, () => {
      const at = marked.indexOf('$0');
      const text = marked.replace('$0', '');
      const edits = formatTypedAicf(parseAicf(text, DEFAULT_SETTINGS), at, character);
      assert.equal(applyEdits(text, edits), expected);
    });
  }
});
