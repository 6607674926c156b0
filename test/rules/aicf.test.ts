import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parseAicf } from '../../language/aicf/parse.ts';
import { AICF_RULES, type AicfRuleCode } from '../../core/catalog/aicf-rules.ts';
import type { RuleRow } from '../../core/catalog/rule-row.ts';
import { DEFAULT_SETTINGS } from '../../core/catalog/settings.ts';
import { applyEdits } from '../../core/text/edit.ts';
import { SEVERITIES, type Fix, type Issue } from '../../core/text/issue.ts';
import { validateAicf } from '../../language/rules/aicf/validate.ts';
import { readMeaning } from '../support/aicf-meaning.ts';
import { readMarks } from '../support/marks.ts';
import { toolsWithSchema } from '../support/schema-tools.ts';

function validate(text: string, { schema }: Pick<RuleRow, 'schema'>): readonly Issue[] {
  const doc = parseAicf(text, DEFAULT_SETTINGS);
  return validateAicf(schema === undefined ? doc : { ...doc, others: toolsWithSchema(schema) });
}

/** Where only a person knows what was meant, or the mend is not in the text. */
const WITHOUT_FIX: ReadonlySet<string> = new Set<AicfRuleCode>([
  // A secret is stored by the editor, not in the text.
  'aicf/auth-field',
  // What an argument that is not there should say.
  'aicf/missing-argument',
  'aicf/fewer-arguments',
  // Which part of a request is too much.
  'aicf/too-many-fields',
  'aicf/body-too-long',
  // Numbers are what other entries refer to.
  'aicf/line-number',
]);

/** The codes of issues as bad as a rule's or worse, each as often as it is found. */
function listAsBad(text: string, row: RuleRow): readonly string[] {
  const worst = SEVERITIES.indexOf(row.severity);
  return validate(text, row)
    .filter(issue => SEVERITIES.indexOf(issue.severity) <= worst)
    .map(issue => issue.code)
    .sort();
}

function fixesOf(marked: string, row: RuleRow): readonly Fix[] {
  return validate(readMarks(marked).text, row).flatMap(issue => issue.fixes ?? []);
}

describe('AICF rules', () => {
  for (const row of AICF_RULES as readonly RuleRow[]) {
    describe(row.code, () => {
      it('has good and bad examples', () => assert.ok(row.good.length > 0 && row.bad.length > 0));
      it(WITHOUT_FIX.has(row.code) ? 'offers no fix' : 'has a bad example with a fix', () => {
        assert.equal(row.bad.flatMap(bad => fixesOf(bad, row)).length === 0, WITHOUT_FIX.has(row.code));
      });
      row.good.forEach((good, index) => {
        it(`finds nothing at all in good example ${index + 1}`, () =>
          assert.deepEqual(validate(good, row), []));
      });
      row.bad.forEach((bad, index) => {
        const { text, spans } = readMarks(bad);
        it(`finds bad example ${index + 1} at its marks, and nothing else`, () => {
          const found = validate(text, row);
          assert.deepEqual(
            found.map(({ code, severity, span, wire }) => ({ code, severity, span, wire })),
            spans.map(span => ({ code: row.code, severity: row.severity, span, wire: row.wire })),
          );
          for (const { message } of found) {
            assert.equal(message.endsWith(`(error ${row.wire})`), row.wire !== undefined, message);
            assert.match(message, /^['A-Z].*[^.]$/);
          }
        });
        it(`every fix of bad example ${index + 1} mends its issue and makes nothing worse`, () => {
          const before = listAsBad(text, row);
          for (const fix of fixesOf(bad, row)) {
            const mended = applyEdits(text, fix.edits);
            const after = listAsBad(mended, row);
            assert.deepEqual(after, before.slice(1), `${fix.title} gave ${mended}`);
            if (fix.safe) assert.deepEqual(readMeaning(mended), readMeaning(text), fix.title);
          }
        });
      });
    });
  }
});
