import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parseAicf } from '../../protocol/src/aicf/parse.ts';
import { AICF_RULES } from '../../protocol/src/catalog/aicf-rules.ts';
import type { RuleRow } from '../../protocol/src/catalog/rule-row.ts';
import { DEFAULT_SETTINGS } from '../../protocol/src/catalog/settings.ts';
import { applyEdits } from '../../protocol/src/text/edit.ts';
import type { Issue } from '../../protocol/src/text/issue.ts';
import { validateAicf } from '../../protocol/src/validate/aicf/validate.ts';
import { readMarks } from '../support/marks.ts';

function validate(text: string): readonly Issue[] {
  return validateAicf(parseAicf(text, DEFAULT_SETTINGS));
}

/** Hints about style may remain where a fix mended something worse. */
function countIssues(text: string, code: string): number {
  return validate(text).filter(issue => issue.code === code).length;
}

describe('AICF rules', () => {
  for (const row of AICF_RULES as readonly RuleRow[]) {
    describe(row.code, () => {
      it('has good and bad examples', () => assert.ok(row.good.length > 0 && row.bad.length > 0));
      row.good.forEach((good, index) => {
        it(`finds nothing at all in good example ${index + 1}`, () => assert.deepEqual(validate(good), []));
      });
      row.bad.forEach((bad, index) => {
        const { text, spans } = readMarks(bad);
        it(`finds bad example ${index + 1} at its marks, and nothing else`, () => {
          const found = validate(text);
          assert.deepEqual(
            found.map(({ code, severity, span, wire }) => ({ code, severity, span, wire })),
            spans.map(span => ({ code: row.code, severity: row.severity, span, wire: row.wire })),
          );
          for (const { message } of found) {
            assert.equal(message.endsWith(`(${row.wire})`), row.wire !== undefined, message);
            assert.match(message, /^['A-Z].*[^.]$/);
          }
        });
        it(`every fix of bad example ${index + 1} mends its issue`, () => {
          for (const issue of validate(text)) {
            for (const fix of issue.fixes ?? []) {
              const mended = applyEdits(text, fix.edits);
              assert.equal(countIssues(mended, row.code), spans.length - 1, `${fix.title} gave ${mended}`);
            }
          }
        });
      });
    });
  }
});
