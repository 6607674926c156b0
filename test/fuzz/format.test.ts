import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { DEFAULT_SETTINGS, type Settings } from '../../core/catalog/settings.ts';
import type { FormatOptions } from '../../language/format.ts';
import { LANGUAGE_SUPPORT } from '../../language/languages.ts';
import type { OpenDocument } from '../../language/support.ts';
import { applyEdits, type TextEdit } from '../../core/text/edit.ts';
import { listAtoms } from '../support/aicl-atoms.ts';
import { anySource, validValue } from '../support/aicl-arbitrary.ts';
import { runs } from '../support/size.ts';

const RUNS = { numRuns: runs(2000) };

const anyFile = fc
  .array(fc.oneof(validValue, anySource, fc.constantFrom('\n', '\r\n\r\n', '\n# note \n', ' ')), {
    maxLength: 4,
  })
  .map(parts => parts.join(''));
const anySettings: fc.Arbitrary<Settings> = fc
  .record({
    style: fc.constantFrom('indented' as const, 'compact' as const),
    width: fc.constantFrom(1, 4, 120),
  })
  .map(({ style, width }) => ({
    ...DEFAULT_SETTINGS,
    'aicl.format.style': style,
    'aicl.format.payloadWidth': width,
  }));
const anyOptions: fc.Arbitrary<FormatOptions> = fc.record({
  tabSize: fc.integer({ min: 1, max: 8 }),
  insertSpaces: fc.boolean(),
});

function open(text: string, settings: Settings): OpenDocument {
  return LANGUAGE_SUPPORT.aicl.open(text, settings);
}

/** Holds edits to white space. */
function checkBlank(text: string, edits: Iterable<TextEdit>): void {
  for (const { span, newText } of edits) {
    // Data that is wrapped anew is one edit.
    const strip = (part: string): string => part.replace(/[ \t\r\n]/g, '');
    assert.equal(strip(newText), strip(text.slice(span.start, span.end)));
  }
}

describe('AICL format, any text', () => {
  it('changes white space alone, and nothing when it runs again, in every style', () => {
    fc.assert(
      fc.property(anyFile, anySettings, anyOptions, (source, settings, options) => {
        const edits = open(source, settings).format(options);
        checkBlank(source, edits);
        const once = applyEdits(source, edits);
        assert.deepEqual(listAtoms(once), listAtoms(source));
        assert.deepEqual([...open(once, settings).format(options)], []);
      }),
      RUNS,
    );
  });

  it('writes no value at column 0 but those at the top', () => {
    fc.assert(
      fc.property(validValue, anySettings, anyOptions, (source, settings, options) => {
        for (const { span, newText } of open(source, settings).format(options))
          if (span.start > 0 && /[\r\n]$/.test(newText)) assert.notEqual(source.charAt(span.end), '[');
      }),
      RUNS,
    );
  });

  it('formats a range as the whole does there', () => {
    fc.assert(
      fc.property(anyFile, fc.nat(), fc.nat(), anySettings, anyOptions, (source, a, b, settings, options) => {
        const [start = 0, end = 0] = [a % (source.length + 1), b % (source.length + 1)].sort((x, y) => x - y);
        const document = open(source, settings);
        const whole = [...document.format(options)];
        const part = [...document.formatRange({ start, end }, options)];
        const key = ({ span, newText }: TextEdit): string => `${span.start}-${span.end} ${newText}`;
        const known = new Set(whole.map(key));
        assert.deepEqual(
          part.filter(edit => !known.has(key(edit))),
          [],
        );
        assert.deepEqual([...document.formatRange({ start: 0, end: source.length }, options)], whole);
        assert.deepEqual(listAtoms(applyEdits(source, part)), listAtoms(source));
      }),
      RUNS,
    );
  });

  it('changes blanks alone while somebody types, and no line end; but for a bracket behind a backslash in a text', () => {
    const anyTyped = fc.constantFrom(']', ',', '\n');
    fc.assert(
      fc.property(anyFile, fc.nat(), anyTyped, anyOptions, (source, at, character, options) => {
        const place = at % (source.length + 1);
        const text = source.slice(0, place) + character + source.slice(place);
        const edits = open(text, DEFAULT_SETTINGS).formatTyped(place + 1, character, options);
        const [{ span: first, newText: written } = { span: { start: 0, end: 0 }, newText: '' }] = edits;
        if (written === '\\u005D') {
          assert.equal(text.slice(first.start, first.end), '\\]');
          assert.deepEqual([edits.length, first.end], [1, place + 1]);
          return;
        }
        for (const { span, newText } of edits) {
          assert.match(text.slice(span.start, span.end), /^[ \t]*$/);
          assert.match(newText, /^[ \t]*$/);
        }
        assert.deepEqual(listAtoms(applyEdits(text, edits)), listAtoms(text));
      }),
      RUNS,
    );
  });

  it('rewrites change white space alone', () => {
    fc.assert(
      fc.property(anyFile, fc.nat(), (source, at) => {
        const place = at % (source.length + 1);
        for (const { edits } of open(source, DEFAULT_SETTINGS).rewrites({ start: place, end: place }, 1000)) {
          checkBlank(source, edits);
          assert.deepEqual(listAtoms(applyEdits(source, edits)), listAtoms(source));
        }
      }),
      RUNS,
    );
  });
});
