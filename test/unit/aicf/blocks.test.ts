import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { folds } from '../../../language/aicf/features/folds.ts';
import { requests } from '../../../language/aicf/features/requests.ts';
import { symbols } from '../../../language/aicf/features/symbols.ts';
import { editAicf, parseAicf, toDocument, type AicfDocument } from '../../../language/aicf/parse.ts';
import { collectTools } from '../../../language/aicf/file-tools.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../../core/catalog/settings.ts';
import { SourceText } from '../../../core/text/source-text.ts';
import { validateAicf } from '../../../language/rules/aicf/validate.ts';
import { checkAicf } from '../../support/at-once.ts';
import { itAtFullSize, sized } from '../../support/size.ts';

/** A document whose chunks hold about so many characters. */
function open(text: string, chunkLength: number, settings: Settings = DEFAULT_SETTINGS): AicfDocument {
  return toDocument(SourceText.of(text, chunkLength), { settings, work: undefined, lineage: {} });
}

function show({ blocks, text }: AicfDocument): unknown {
  return blocks.map(({ start, end, firstLine, lineEnd, content }) => [
    text.slice(start, end),
    [firstLine, lineEnd],
    content.chunks.length,
  ]);
}

describe('AICF blocks', () => {
  it('end at line ends, and hold a long line as a whole', () => {
    assert.deepEqual(show(open('LIST\nOK|123456789012345\nEND\r\n', 6)), [
      ['LIST\n', [0, 1], 1],
      ['OK|123456789012345\nEND\r\n', [1, 3], 3],
    ]);
    assert.deepEqual(show(open('', 6)), []);
    assert.deepEqual(show(open('LIST', 6)), [['LIST', [0, 1], 1]]);
  });

  it('stay the same where an edit leaves them alone', () => {
    const before = open('CALL|t|1\n'.repeat(40), 20);
    const after = editAicf(before, { span: { start: 180, end: 180 }, newText: 'LIST\n' });
    const known = new Set(before.blocks.map(block => block.content));
    const fresh = after.blocks.filter(block => !known.has(block.content));
    assert.deepEqual(
      fresh.map(({ start, end }) => after.text.slice(start, end)),
      ['LIST\nCALL|t|1\nCALL|t|1\n'],
    );
  });

  it('keep what tools demand while only their descriptions change', () => {
    const doc = open('TOOL|t|old|a:number\nCALL|t|x\n', 8);
    const { version } = collectTools(doc).of('');
    const described = editAicf(doc, { span: { start: 7, end: 10 }, newText: 'new' });
    const changed = editAicf(doc, { span: { start: 13, end: 19 }, newText: 'string' });
    assert.equal(collectTools(described).of('').version, version);
    assert.equal(collectTools(described).of('').tools.get('t')?.description, 'new');
    assert.notEqual(collectTools(changed).of('').version, version);
    assert.deepEqual([validateAicf(described).length, validateAicf(changed).length], [1, 0]);
  });
});

describe('AICF issues by block', () => {
  it('are the same however the text is cut, past any limit', () => {
    const text = 'LIST\nCALLS|x\n#\ncall|t\nSTREAM|a\n'.repeat(sized(900, 10));
    for (const maxIssues of [1, 10, sized(2_500, 27), Number.MAX_SAFE_INTEGER]) {
      const settings = { ...DEFAULT_SETTINGS, maxIssues };
      const whole = validateAicf(parseAicf(text, settings));
      for (const length of [16, 100, 1_000]) {
        assert.deepEqual(validateAicf(open(text, length, settings)), whole);
      }
    }
  });

  it('are stored only if they are listed: the others are counted', () => {
    const lines = sized(3_000, 300);
    const doc = open('CALLS|x\n'.repeat(lines), 100, { ...DEFAULT_SETTINGS, maxIssues: 5 });
    assert.deepEqual(
      validateAicf(doc).map(({ message }) => message.slice(0, 24)),
      [
        ...Array.from({ length: 4 }, () => "'CALLS' is not a command"),
        `${lines - 4} more issues from here`.slice(0, 24),
      ],
    );
    assert.equal(checkAicf(doc).length, lines);
  });
});

describe('AICF answers about many lines', () => {
  for (const [name, text, count] of [
    ['symbols', 'CALL|t|1\nOK|2\n'.repeat(60), [120, 60]],
    ['sections of a context file', '@NOTES\nx\n'.repeat(60), [60, 60]],
    ['folds', `LIST\n${'# a\n# b\nOK|1\n'.repeat(60)}CALL|t\nOK|1\n`, [63, 62]],
  ] as const)
    it(`list ${name} however the text is cut`, () => {
      for (const doc of [parseAicf(text, DEFAULT_SETTINGS), open(text, 50)]) {
        const listed = symbols(doc).flatMap(symbol => [symbol, ...symbol.children]);
        assert.deepEqual([listed.length, folds(doc).length], count);
      }
    });

  itAtFullSize('list ten thousand symbols and say how many lines are left out', () => {
    const lines = 12_345;
    const text = 'CALL|t|1\nOK|2\n'.repeat(lines);
    for (const doc of [parseAicf(text, DEFAULT_SETTINGS), open(text, 50)]) {
      const listed = symbols(doc);
      const last = listed.at(-1);
      assert.equal(listed.flatMap(symbol => [symbol, ...symbol.children]).length, 10_001);
      assert.equal(last?.name, `${lines * 2 + 1 - 10_000} more lines are not listed`);
      assert.deepEqual(last?.span, { start: 14 * 5_000, end: text.length });
    }
  });

  itAtFullSize('list ten thousand sections of a context file', () => {
    const text = '@NOTES\nx\n'.repeat(10_500);
    for (const doc of [parseAicf(text, DEFAULT_SETTINGS), open(text, 50)]) {
      const listed = symbols(doc);
      assert.deepEqual([listed.length, listed.at(-1)?.name], [10_001, '1001 more lines are not listed']);
      assert.equal(folds(doc).length, 10_000);
    }
  });

  itAtFullSize('list the first ten thousand folds, the long ones as wholes', () => {
    const text = `LIST\n${'# a\n# b\nOK|1\n'.repeat(10_500)}CALL|t\nOK|1\n`;
    for (const doc of [parseAicf(text, DEFAULT_SETTINGS), open(text, 50)]) {
      const found = folds(doc);
      assert.equal(found.length, 10_000);
      assert.deepEqual(found[0], {
        span: { start: 0, end: text.indexOf('\nCALL') },
        kind: 'region',
      });
      assert.deepEqual(found.at(-1), {
        span: { start: 5 + 13 * 9_998, end: 5 + 13 * 9_998 + 7 },
        kind: 'comment',
      });
    }
  });

  it('list as many requests as are asked for', () => {
    const doc = open('# @name a\nCALL|t|1\nLIST\n'.repeat(50), 30);
    assert.equal(requests(doc).length, 100);
    assert.deepEqual(requests(doc, 7), requests(doc).slice(0, 7));
  });
});
