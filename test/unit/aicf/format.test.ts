import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { formatAicf } from '../../../protocol/src/aicf/format.ts';
import { listLines } from '../../../protocol/src/aicf/lines.ts';
import { fieldSource } from '../../../protocol/src/aicf/ast.ts';
import { parseAicf } from '../../../protocol/src/aicf/parse.ts';
import { DEFAULT_SETTINGS } from '../../../protocol/src/catalog/settings.ts';
import { applyEdits } from '../../../protocol/src/text/edit.ts';
import { nastyText } from './nasty.ts';

function format(text: string): string {
  return applyEdits(text, formatAicf(parseAicf(text, DEFAULT_SETTINGS)));
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
      { numRuns: 3_000 },
    );
  });
});
