import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { parseAicf } from '../../../language/aicf/parse.ts';
import { AICF_RULES } from '../../../core/catalog/aicf-rules.ts';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import { applyEdits } from '../../../core/text/edit.ts';
import type { Issue } from '../../../core/text/issue.ts';
import { validateAicf } from '../../../language/rules/aicf/validate.ts';
import { readMeaning } from '../../support/aicf-meaning.ts';
import { readMarks } from '../../support/marks.ts';
import { nastyText } from './nasty.ts';
import { runs } from '../../support/size.ts';

function validate(text: string): readonly Issue[] {
  return validateAicf(parseAicf(text, DEFAULT_SETTINGS));
}

function countOf(issues: readonly Issue[], code: string): number {
  return issues.filter(issue => issue.code === code).length;
}

/** Texts of examples of rules and of nasty pieces. */
function faultyText(): fc.Arbitrary<string> {
  const examples = AICF_RULES.flatMap(row => row.bad.map(bad => readMarks(bad).text));
  const short = examples.filter(text => text.length < 1_000);
  return fc
    .array(fc.oneof(fc.constantFrom(...short), nastyText()), { maxLength: 5 })
    .map(parts => parts.join('\n'));
}

describe('AICF fixes of any text', () => {
  it('mend their issue and, where they are safe, leave what the lines say', () => {
    fc.assert(
      fc.property(faultyText(), text => {
        const meaning = readMeaning(text);
        const issues = validate(text);
        for (const { code, fixes = [] } of issues) {
          for (const fix of fixes) {
            if (!fix.safe) continue;
            const mended = applyEdits(text, fix.edits);
            assert.deepEqual(readMeaning(mended), meaning, fix.title);
            assert.ok(countOf(validate(mended), code) < countOf(issues, code), fix.title);
          }
        }
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('can be applied all at once where they are safe, and leave no safe ones', () => {
    fc.assert(
      fc.property(faultyText(), text => {
        const edits = validate(text).flatMap(issue => issue.fixes?.find(fix => fix.safe)?.edits ?? []);
        const mended = applyEdits(text, edits);
        assert.deepEqual(readMeaning(mended), readMeaning(text));
        assert.deepEqual(
          validate(mended).filter(issue => issue.fixes?.some(fix => fix.safe)),
          [],
        );
      }),
      { numRuns: runs(1_000) },
    );
  });
});
