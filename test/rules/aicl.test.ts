import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { AICL_RULES } from '../../protocol/src/catalog/aicl-rules.ts';
import type { RuleRow } from '../../protocol/src/catalog/rule-row.ts';
import { DEFAULT_SETTINGS } from '../../protocol/src/catalog/settings.ts';
import { LANGUAGE_SUPPORT } from '../../protocol/src/languages.ts';
import { applyEdits } from '../../protocol/src/text/edit.ts';
import type { Issue } from '../../protocol/src/text/issue.ts';
import { readMarks } from '../support/marks.ts';

/** Found from no short example: a message of more than 10 MB. It has a test of its own below. */
const WITHOUT_EXAMPLE = new Set(['aicl/message-size']);

function validate(text: string): readonly Issue[] {
  return LANGUAGE_SUPPORT.aicl.open(text, DEFAULT_SETTINGS).validate();
}

/** Examples of other rules are pieces of messages as a rule: that they are pieces is not what they show. */
function withoutFragment(issues: readonly Issue[], row: RuleRow): readonly Issue[] {
  return row.code === 'aicl/fragment' ? issues : issues.filter(issue => issue.code !== 'aicl/fragment');
}

describe('AICL rules', () => {
  for (const row of AICL_RULES as readonly RuleRow[]) {
    describe(row.code, () => {
      if (!WITHOUT_EXAMPLE.has(row.code)) it('has a bad example', () => assert.notEqual(row.bad.length, 0));
      row.good.forEach((good, index) => {
        it(`says nothing of good example ${index + 1}`, () => {
          assert.deepEqual(
            validate(good).filter(issue => issue.code === row.code),
            [],
          );
        });
      });
      row.bad.forEach((bad, index) => {
        const { text, spans } = readMarks(bad);
        it(`finds bad example ${index + 1} at its marks, and nothing else`, () => {
          const found = withoutFragment(validate(text), row);
          assert.deepEqual(
            found.map(({ code, severity, span, wire }) => ({ code, severity, span, wire })),
            spans.map(span => ({ code: row.code, severity: row.severity, span, wire: row.wire })),
          );
          for (const issue of found)
            assert.equal(issue.message.endsWith(`(${row.wire})`), row.wire !== undefined, issue.message);
        });
        it(`every fix of bad example ${index + 1} mends it`, () => {
          for (const issue of withoutFragment(validate(text), row)) {
            for (const fix of issue.fixes ?? []) {
              const mended = applyEdits(text, fix.edits);
              assert.deepEqual(
                validate(mended).filter(left => left.code === row.code),
                [],
                `${fix.title} gave ${mended}`,
              );
            }
          }
        });
      });
    });
  }

  it('aicl/message-size counts the bytes of UTF-8', () => {
    const message = (text: string): string =>
      `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s1],[s:msg_type]:[s:result],[s:data]:[s:${text}]]`;
    assert.deepEqual(validate(message('a'.repeat(9_900_000))), []);
    assert.deepEqual(
      validate(message('界'.repeat(3_400_000))).map(issue => issue.code),
      ['aicl/message-size'],
    );
  });
});
