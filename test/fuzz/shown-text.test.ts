import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { hints as hintsOfAicf } from '../../language/aicf/features/hints.ts';
import { links as linksOfAicf } from '../../language/aicf/features/links.ts';
import { tokens as tokensOfAicf } from '../../language/aicf/features/tokens.ts';
import { editAicf, toDocument } from '../../language/aicf/parse.ts';
import { DEFAULT_SETTINGS } from '../../core/catalog/settings.ts';
import type { LanguageId } from '../../core/catalog/languages.ts';
import { LANGUAGE_SUPPORT } from '../../language/languages.ts';
import type { OpenDocument } from '../../language/support.ts';
import { applyEdits } from '../../core/text/edit.ts';
import { SourceText } from '../../core/text/source-text.ts';
import type { Span } from '../../core/text/span.ts';
import { SemanticTokenEncoder } from '../../server/src/semantic-token-encoder.ts';
import { anySource, validValue } from '../support/aicl-arbitrary.ts';
import { placeEdit } from '../support/fuzz-edit.ts';
import { nastyText } from '../unit/aicf/nasty.ts';
import { runs } from '../support/size.ts';

/** Files of which each is edited a few times; more by FUZZ_RUNS. A failure prints its seed and path. */
const RUNS = { numRuns: runs(500) };
const TIMEOUT = 60_000 * Math.max(1, RUNS.numRuns / 500);

const AICL_PIECES = [
  ...['[d:[s:msg_type]:[s:tool_call],\n[s:tool]:[s:a\\]b]]\n', '[t:int8:2,\n2:00\n...]', '[s:{{x}} \\\\]'],
  ...[
    '# @agent x\n',
    '# y\r\n',
    'http://a.b/c\\]d.',
    'https://x',
    '[',
    ']',
    '\\',
    ':',
    '\n',
    '\r',
    '{{',
    '',
    'x',
  ],
];
const AICF_PIECES = [
  ...[
    'TOOL|t|d \\| e|a:string|b:integer?\n',
    'CALL|t|x|{"a":"\\\\"}|AUTH:z\n',
    'OK|{"u":"http://a.b/c\\|d"}\r\n',
  ],
  ...[
    '@NOTES:1\n',
    '2|@X\n',
    '# @agent x\r',
    'ERR|404|\\n',
    'http://x',
    '://',
    '|',
    '\\',
    '"',
    '\n',
    '\r',
    '',
    '界',
  ],
];

const JSON_PIECES = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"method"',
  '"a"',
  '// @agent x\n',
  '/*',
  '*/',
  '\n',
  '{{x}}',
  '1',
];

const FILE: Readonly<Record<LanguageId, fc.Arbitrary<string>>> = {
  'agent-json': fc
    .array(fc.oneof(fc.constantFrom(...JSON_PIECES), nastyText()), { maxLength: 12 })
    .map(parts => parts.join('')),
  aicl: fc
    .array(fc.oneof(fc.constantFrom(...AICL_PIECES), validValue, anySource), { maxLength: 8 })
    .map(parts => parts.join('')),
  aicf: fc
    .array(fc.oneof(fc.constantFrom(...AICF_PIECES), nastyText()), { maxLength: 12 })
    .map(parts => parts.join('')),
};

const editsOf = (pieces: readonly string[]) =>
  fc.array(fc.record({ at: fc.nat(), remove: fc.nat(12), insert: fc.constantFrom(...pieces) }), {
    maxLength: 6,
  });

/** All that is shown of a span. */
function showAll(doc: OpenDocument): unknown {
  const span = { start: 0, end: doc.text.length };
  return [doc.tokens(span), doc.hints(span), doc.links(1_000), doc.folds(1_000)];
}

/** Tokens as far as they lie in a span. */
function cut(tokens: readonly number[], span: Span): readonly number[] {
  return tokens.flatMap((_, at) => {
    if (at % 3 !== 0) return [];
    const [start = 0, end = 0, kind = 0] = tokens.slice(at, at + 3);
    const [from, to] = [Math.max(start, span.start), Math.min(end, span.end)];
    return from < to ? [from, to, kind] : [];
  });
}

describe('what is shown in a text', function () {
  this.timeout(TIMEOUT);

  for (const language of ['aicl', 'aicf'] as const) {
    const pieces = language === 'aicl' ? AICL_PIECES : AICF_PIECES;

    it(`is after any edits what it is in the new text, in ${language}`, () => {
      fc.assert(
        fc.property(FILE[language], editsOf(pieces), (source, changes) => {
          let doc = LANGUAGE_SUPPORT[language].open(source, DEFAULT_SETTINGS);
          showAll(doc);
          for (const change of changes) {
            const edit = placeEdit(String(doc.text), change);
            const text = applyEdits(String(doc.text), [edit]);
            doc = doc.edit(edit);
            const fresh = LANGUAGE_SUPPORT[language].open(text, DEFAULT_SETTINGS);
            assert.deepEqual(showAll(doc), showAll(fresh), JSON.stringify(text));
          }
        }),
        RUNS,
      );
    });

    it(`is in a range of lines what it is in the whole, in ${language}`, () => {
      fc.assert(
        fc.property(FILE[language], fc.nat(), fc.nat(), (source, one, other) => {
          const doc = LANGUAGE_SUPPORT[language].open(source, DEFAULT_SETTINGS);
          const [first = 0, last = 0] = [one, other]
            .map(line => line % doc.text.lineCount)
            .sort((a, b) => a - b);
          const span = { start: doc.text.lineStart(first), end: doc.text.lineStart(last + 1) };
          const whole = { start: 0, end: doc.text.length };
          assert.deepEqual(doc.tokens(span), cut(doc.tokens(whole), span));
          const inside = doc.hints(whole).filter(({ offset }) => offset >= span.start && offset <= span.end);
          assert.deepEqual(doc.hints(span), inside);
        }),
        RUNS,
      );
    });

    it(`has tokens that lie on one line each, in ${language}`, () => {
      fc.assert(
        fc.property(FILE[language], source => {
          const doc = LANGUAGE_SUPPORT[language].open(source, DEFAULT_SETTINGS);
          const encoder = new SemanticTokenEncoder(doc.text);
          encoder.add(doc.tokens({ start: 0, end: doc.text.length }));
          let [line, character, end] = [0, 0, 0];
          for (let at = 0; at < encoder.data.length; at += 5) {
            const [lines = 0, characters = 0, length = 0] = encoder.data.slice(at, at + 3);
            line += lines;
            character = lines > 0 ? characters : character + characters;
            assert.ok(length > 0 && (lines > 0 || character >= end), 'they do not overlap');
            end = character + length;
            assert.ok(end <= doc.text.toOffset({ line, character: Infinity }) - doc.text.lineStart(line));
          }
        }),
        RUNS,
      );
    });
  }

  it('does not depend on how the text is cut into chunks', () => {
    fc.assert(
      fc.property(
        FILE.aicf,
        editsOf(AICF_PIECES),
        fc.integer({ min: 4, max: 40 }),
        (source, changes, length) => {
          const context = { settings: DEFAULT_SETTINGS, work: undefined, lineage: {} };
          let doc = toDocument(SourceText.of(source, length), context);
          for (const change of changes) {
            doc = editAicf(doc, placeEdit(String(doc.text), change));
            const fresh = LANGUAGE_SUPPORT.aicf.open(String(doc.text), DEFAULT_SETTINGS);
            const span = { start: 0, end: doc.text.length };
            assert.deepEqual(tokensOfAicf(doc, span), fresh.tokens(span));
            assert.deepEqual(hintsOfAicf(doc, span), fresh.hints(span));
            assert.deepEqual(linksOfAicf(doc, 1_000), fresh.links(1_000));
          }
        },
      ),
      RUNS,
    );
  });
});
