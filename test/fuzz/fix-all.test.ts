import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { LanguageId } from '../../core/catalog/languages.ts';
import { DEFAULT_SETTINGS } from '../../core/catalog/settings.ts';
import { fixAll } from '../../server/src/fix-all.ts';
import type { OpenDocument } from '../../language/support.ts';
import { LANGUAGE_SUPPORT } from '../../language/languages.ts';
import { applyEdits } from '../../core/text/edit.ts';
import { anySource } from '../support/aicl-arbitrary.ts';
import { nastyText } from '../unit/aicf/nasty.ts';
import { runs } from '../support/size.ts';

const RUNS = { numRuns: runs(500) };

/** The text with all safe fixes, and how often it was read for them. */
function mend(language: LanguageId, text: string): { readonly text: string; readonly readings: number } {
  let readings = 0;
  const open = (source: string): OpenDocument => {
    readings++;
    return LANGUAGE_SUPPORT[language].open(source, DEFAULT_SETTINGS);
  };
  return { text: applyEdits(text, fixAll(open, text)), readings };
}

describe('all safe fixes, any text', () => {
  const texts: Readonly<Record<LanguageId, fc.Arbitrary<string>>> = {
    aicl: anySource,
    aicf: nastyText(),
    'agent-json': nastyText(),
  };
  for (const [language, anyText] of Object.entries(texts) as [LanguageId, fc.Arbitrary<string>][]) {
    it(`come to an end, after which there are none: ${language}`, () => {
      fc.assert(
        fc.property(anyText, source => {
          const once = mend(language, source);
          assert.deepEqual(mend(language, once.text), { text: once.text, readings: 1 });
        }),
        RUNS,
      );
    });
  }
});
