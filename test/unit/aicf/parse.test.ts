import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { AicfLine } from '../../../language/aicf/ast.ts';
import { listLines, parseAicf, readLine } from '../../../language/aicf/parse.ts';
import { parseLine } from '../../../language/aicf/parser.ts';
import { scanForeign, scanLine } from '../../../language/aicf/scanner.ts';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import { nastyLine, nastyText } from './nasty.ts';
import { runs } from '../../support/size.ts';

function line(parts: Partial<AicfLine> & Pick<AicfLine, 'kind' | 'word' | 'end'>): AicfLine {
  return { prefix: undefined, command: undefined, pipes: [], faults: [], ...parts };
}

describe('AICF grammar', () => {
  const cases: readonly (readonly [string, AicfLine])[] = [
    ['', line({ kind: 'blank', word: { start: 0, end: 0 }, end: 0 })],
    [' \t', line({ kind: 'blank', word: { start: 2, end: 2 }, end: 2 })],
    [' # @agent x ', line({ kind: 'comment', word: { start: 1, end: 11 }, end: 12 })],
    ['```aicf ', line({ kind: 'fence', word: { start: 0, end: 7 }, end: 8 })],
    ['LIST ', line({ kind: 'command', word: { start: 0, end: 4 }, command: 'LIST', end: 5 })],
    [
      'CALL|t|a\\|b||',
      line({ kind: 'command', word: { start: 0, end: 4 }, command: 'CALL', pipes: [4, 6, 11, 12], end: 13 }),
    ],
    [
      'CALL|t\\\\|a',
      line({ kind: 'command', word: { start: 0, end: 4 }, command: 'CALL', pipes: [4, 8], end: 10 }),
    ],
    ['OK|a|b', line({ kind: 'command', word: { start: 0, end: 2 }, command: 'OK', pipes: [2], end: 6 })],
    [
      'ERR|404|a|b',
      line({ kind: 'command', word: { start: 0, end: 3 }, command: 'ERR', pipes: [3, 7], end: 11 }),
    ],
    [
      'Request:  LIST',
      line({
        kind: 'command',
        prefix: { start: 0, end: 10 },
        word: { start: 10, end: 14 },
        command: 'LIST',
        end: 14,
        faults: [{ code: 'aicf/prefix', span: { start: 0, end: 8 } }],
      }),
    ],
    [
      'Response: ',
      line({
        kind: 'blank',
        prefix: { start: 0, end: 10 },
        word: { start: 10, end: 10 },
        end: 10,
        faults: [{ code: 'aicf/prefix', span: { start: 0, end: 9 } }],
      }),
    ],
    [
      ' call |t',
      line({
        kind: 'command',
        word: { start: 1, end: 5 },
        command: 'CALL',
        pipes: [6],
        end: 8,
        faults: [
          { code: 'aicf/command-blank', span: { start: 0, end: 1 } },
          { code: 'aicf/wrong-case', span: { start: 1, end: 5 } },
          { code: 'aicf/command-blank', span: { start: 5, end: 6 } },
        ],
      }),
    ],
    [
      'PING|x',
      line({
        kind: 'command',
        word: { start: 0, end: 4 },
        pipes: [4],
        end: 6,
        faults: [{ code: 'aicf/unknown-command', span: { start: 0, end: 4 } }],
      }),
    ],
    [
      'END of it ',
      line({
        kind: 'command',
        word: { start: 0, end: 3 },
        command: 'END',
        end: 10,
        faults: [{ code: 'aicf/text-after-end', span: { start: 4, end: 9 } }],
      }),
    ],
    [
      'CALL t|x',
      line({
        kind: 'foreign',
        word: { start: 0, end: 8 },
        end: 8,
        faults: [{ code: 'aicf/missing-delimiter', span: { start: 0, end: 4 } }],
      }),
    ],
    [
      ' OK then',
      line({
        kind: 'foreign',
        word: { start: 1, end: 8 },
        end: 8,
        faults: [{ code: 'aicf/foreign-text', span: { start: 1, end: 8 } }],
      }),
    ],
    [
      'Request: # x',
      line({
        kind: 'foreign',
        prefix: { start: 0, end: 9 },
        word: { start: 9, end: 12 },
        end: 12,
        faults: [
          { code: 'aicf/prefix', span: { start: 0, end: 8 } },
          { code: 'aicf/foreign-text', span: { start: 9, end: 12 } },
        ],
      }),
    ],
  ];
  for (const [text, expected] of cases) {
    it(`reads ${JSON.stringify(text)}`, () => assert.deepEqual(readLine(text), expected));
  }

  it('gives the same tree from the scanner and from the grammar, and the scanner accepts just what has no fault', () => {
    fc.assert(
      fc.property(nastyLine(), text => {
        const scanned = scanLine(text);
        const parsed = parseLine(text);
        if (scanned) assert.deepEqual(scanned, parsed);
        assert.equal(scanned !== undefined, parsed.faults.length === 0, text);
        const foreign = scanForeign(text);
        if (foreign) assert.deepEqual(foreign, parsed);
      }),
      { numRuns: runs(5_000) },
    );
  });

  it('reads plain foreign text without the grammar, and leaves it what may have been meant as a command', () => {
    for (const text of ['x', ' \tHello world ', '|', 'listing', 'Lister-1', 'x|CALL', '0', 'lıst|'])
      assert.deepEqual(scanForeign(text), parseLine(text), text);
    for (const text of ['list', ' Call|x', 'List-1', 'NEW|x', 'END of it', 'Request: x', '# x', '```x', ''])
      assert.equal(scanForeign(text), undefined, text);
  });

  it('reads a line of more fields than it has tokens for', () => {
    for (const text of [`call|t${'|\\|x|'.repeat(5_000)}`, `CALL|t${'|'.repeat(5_000)}`]) {
      const { pipes } = parseLine(text);
      assert.deepEqual(pipes, scanLine(text.replace('call', 'CALL'))?.pipes);
    }
  });

  it('covers every text with lines that do not overlap, whatever the text', () => {
    fc.assert(
      fc.property(nastyText(), text => {
        const doc = parseAicf(text, DEFAULT_SETTINGS);
        const lines = [...listLines(doc)];
        const joined = lines.map(({ start, tree }, index) => {
          const next = lines[index + 1]?.start ?? text.length;
          return { inside: text.slice(start, start + tree.end), after: text.slice(start + tree.end, next) };
        });
        const bom = text.startsWith('\ufeff') ? '\ufeff' : '';
        assert.equal(bom + joined.map(({ inside, after }) => inside + after).join(''), text);
        assert.ok(joined.slice(0, -1).every(({ after }) => /^(?:\r\n|\r|\n)$/.test(after)));
        for (const { tree } of lines) {
          const offsets = [0, tree.word.start, tree.word.end, ...tree.pipes, tree.end];
          assert.deepEqual(
            offsets,
            [...offsets].sort((a, b) => a - b),
          );
        }
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('skips a BOM', () => {
    const doc = parseAicf('\ufeffLIST', DEFAULT_SETTINGS);
    assert.deepEqual(
      [...listLines(doc)].map(({ start, tree }) => [start, tree.command, tree.faults]),
      [[1, 'LIST', []]],
    );
  });
});
