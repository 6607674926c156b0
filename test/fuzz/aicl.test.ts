import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { escapeInside, escapeText, sendReturns, unescapeText } from '../../language/aicl/escapes.ts';
import { judgeUnit } from '../../language/aicl/judge.ts';
import { parseTokens } from '../../language/aicl/grammar/parser.ts';
import { Scanner } from '../../language/aicl/scanner.ts';
import { DEFAULT_SETTINGS } from '../../core/catalog/settings.ts';
import { LANGUAGE_SUPPORT } from '../../language/languages.ts';
import type { OpenDocument } from '../../language/support.ts';
import { applyEdits } from '../../core/text/edit.ts';
import { parseAicl } from '../../language/aicl/parse.ts';
import { anySource, anyText, validValue } from '../support/aicl-arbitrary.ts';
import { listAtoms } from '../support/aicl-atoms.ts';
import { cutTokens } from '../support/aicl-tokens.ts';
import { checkSpans } from '../support/total.ts';
import { runs, sized } from '../support/size.ts';

/** More runs by FUZZ_RUNS; a failure prints its seed and path. */
const RUNS = { numRuns: runs(2000) };

function open(text: string): OpenDocument {
  return LANGUAGE_SUPPORT.aicl.open(text, DEFAULT_SETTINGS);
}

/** What the scanner and the grammar make of a text that is one unit. */
function readBoth(source: string) {
  const accepted = new Scanner(source, { count: 0 }).accept(0);
  const { tokens, unexpected } = cutTokens(source);
  return { accepted, judged: judgeUnit(source, parseTokens(tokens), unexpected, () => []) };
}

/** Texts of what escapes are made of. */
const escapedText = fc
  .array(fc.constantFrom('\\', 'u005D', 'u005d', 'u000D', 'u00', ']', '[', '\r', '\n', 'a'), {
    maxLength: 12,
  })
  .map(pieces => pieces.join(''));

/** True where an escape begins in one text and its letters end in the next one. */
function endsEscape(before: string, after: string): boolean {
  return (
    /\\u?0{0,2}[05]?$/i.test(before) &&
    !before.endsWith('\\') &&
    [...(before + after).matchAll(/u00[05]d/gi)].some(
      ({ index }) => index < before.length && index + 'u005d'.length > before.length,
    )
  );
}

describe('AICL, any text', () => {
  it('a text reads back from how it is written, and changes only where it must', () => {
    fc.assert(
      fc.property(fc.oneof(anyText(), escapedText), text => {
        const written = escapeText(text);
        assert.equal(unescapeText(written), text);
        assert.ok(!/[\]\r]/.test(written));
        if (!/[\]\r]|\\u00/.test(text)) assert.equal(written, text);
        const sent = escapeText(text, 'wire');
        assert.equal(unescapeText(sent), text);
        assert.equal(sendReturns(written), sent);
      }),
      RUNS,
    );
  });

  it('a text that is put into another one is read between what stood there', () => {
    const part = fc.oneof(anyText(), escapedText).map(text => text.replaceAll(']', ''));
    fc.assert(
      fc.property(part, fc.oneof(anyText(), escapedText), part, (before, text, after) => {
        fc.pre(!endsEscape(before, text + after));
        const written = before + escapeInside(before, text, after) + after;
        assert.equal(unescapeText(written), unescapeText(before) + text + unescapeText(after));
      }),
      { numRuns: runs(20_000) },
    );
  });

  it('the scanner and the grammar read valid source to the same tree, without a fault', () => {
    fc.assert(
      fc.property(validValue, source => {
        const { accepted, judged } = readBoth(source);
        assert.deepEqual(judged, { tree: accepted?.tree, faults: [] });
        assert.equal(accepted?.end, source.length);
      }),
      RUNS,
    );
  });

  it('the scanner accepts a unit if and only if the grammar finds no fault in it', () => {
    fc.assert(
      fc.property(
        anySource.map(source => source.trim()).filter(source => source.startsWith('[')),
        source => {
          const { accepted, judged } = readBoth(source);
          const isWhole = accepted?.end === source.length;
          assert.equal(judged.faults.length === 0, isWhole, JSON.stringify(judged.faults[0]));
          if (isWhole) assert.deepEqual(judged.tree, accepted.tree);
        },
      ),
      RUNS,
    );
  });

  it('any text gives units in order, issues inside the text, and answers to every question', () => {
    fc.assert(
      fc.property(anySource, fc.nat(), (source, at) => {
        const doc = open(source);
        checkSpans(doc, at % (source.length + 1));
        let end = 0;
        for (const unit of parseAicl(source, DEFAULT_SETTINGS, () => []).units) {
          assert.ok(
            unit.start >= end && unit.end > unit.start,
            `unit ${unit.start}-${unit.end} after ${end}`,
          );
          assert.match(source.slice(end, unit.start), /^\ufeff?[ \t\r\n]*$/);
          end = unit.end;
        }
        assert.match(source.slice(end), /^\ufeff?[ \t\r\n]*$/);
      }),
      RUNS,
    );
  });

  it('a text is reported if and only if some unit of it is not accepted or breaks a rule', () => {
    fc.assert(
      fc.property(validValue, source => {
        const codes = open(source)
          .validate()
          .filter(issue => issue.severity === 'error')
          .map(issue => issue.code);
        const allowed = new Set(['aicl/duplicate-key', 'aicl/header-missing']);
        assert.deepEqual(
          codes.filter(code => !allowed.has(code)),
          [],
        );
      }),
      RUNS,
    );
  });

  it('formatting twice is formatting once, and keeps what goes over the wire but for white space between tokens', () => {
    fc.assert(
      fc.property(fc.oneof(anySource, validValue), source => {
        const once = applyEdits(source, open(source).format());
        assert.equal(applyEdits(once, open(once).format()), once);
        assert.deepEqual(listAtoms(once), listAtoms(source));
        assert.deepEqual(
          open(once)
            .validate()
            .map(issue => issue.code),
          open(source)
            .validate()
            .map(issue => issue.code),
        );
      }),
      RUNS,
    );
  });

  it('work is linear: twice the text, at most twice the work and a constant', () => {
    const seeds = [
      '[d:[s:a]:[i:1],',
      '[l:',
      '[',
      ']',
      ' foo ',
      '[s:',
      '[s:a\\]',
      '[t:',
      '[i:1] ',
      '[x:1]',
      '，',
      '[d:[s:a]:[s:b\n]\n',
      '\\',
      '[s:a,\n',
      '[d:[s:a]:[s:b [1] c],',
      '[d:[s:a]:[s:[]b],\n',
      '\n[d:[s:a]:[s:b] c],[s:d]:[i:1] ',
      '[l:[s:b] c],[i:1] ',
      '[d:[s:a]:[s:b\\] c],',
      '[s:]]',
      '[l:[s:],',
    ];
    for (const seed of seeds) {
      const work = (times: number): number =>
        parseAicl(seed.repeat(times), DEFAULT_SETTINGS, () => []).work.count;
      const [small, large] = [work(sized(2000, 100)), work(sized(4000, 200))];
      assert.ok(large <= 2 * small + sized(5000, 200), `${JSON.stringify(seed)}: ${small}, then ${large}`);
    }
  });
});
