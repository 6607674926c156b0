import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { AICL_RULES } from '../../core/catalog/aicl-rules.ts';
import type { RuleRow } from '../../core/catalog/rule-row.ts';
import { DEFAULT_SETTINGS } from '../../core/catalog/settings.ts';
import { LANGUAGE_SUPPORT } from '../../language/languages.ts';
import { applyEdits } from '../../core/text/edit.ts';
import { SEVERITIES, type Issue } from '../../core/text/issue.ts';
import { readMarks } from '../support/marks.ts';

/** Found from no short example: a message of more than 10 MB, and what agents say of their tools. They have tests of their own. */
const WITHOUT_EXAMPLE = new Set([
  'aicl/message-size',
  'aicl/unknown-tool',
  'aicl/missing-param',
  'aicl/unknown-param',
  'aicl/param-type',
]);

/** Nobody but the author knows what is missing here. Every other rule has an example that a fix mends. */
const WITHOUT_FIX = new Set([
  'aicl/missing-value',
  'aicl/missing-key',
  'aicl/key-type',
  'aicl/pair-in-list',
  'aicl/too-deep',
  'aicl/message-size',
  'aicl/unknown-tool',
  'aicl/missing-param',
  'aicl/unknown-param',
  'aicl/param-type',
  'aicl/chunk-sequence',
  'aicl/unanswered-request',
  'aicl/result-format',
  'aicl/tensor-form',
  'aicl/elided-tensor',
]);

function validate(text: string): readonly Issue[] {
  return LANGUAGE_SUPPORT.aicl.open(text, DEFAULT_SETTINGS).validate();
}

/** Examples of other rules are pieces of messages as a rule: that they are pieces is not what they show. */
function withoutFragment(issues: readonly Issue[], row: RuleRow): readonly Issue[] {
  return row.code === 'aicl/fragment' ? issues : issues.filter(issue => issue.code !== 'aicl/fragment');
}

/** Chunks alone are parts of streams that are not whole: examples of other rules need not show all of one. */
function withoutContext(issues: readonly Issue[], row: RuleRow): readonly Issue[] {
  const stored = withoutFragment(issues, row);
  return row.code === 'aicl/stream-id' || row.code === 'aicl/chunk-final'
    ? stored.filter(issue => issue.code !== 'aicl/chunk-sequence')
    : stored;
}

/**
 * How many issues of each severity there are, the gravest first. A piece that is whole again may be asked for a header,
 * which is no fault of the fix.
 */
function weigh(issues: readonly Issue[], row: RuleRow): readonly number[] {
  const counted = issues.filter(({ code }) => code !== 'aicl/header-missing' || code === row.code);
  return SEVERITIES.map(severity => counted.filter(issue => issue.severity === severity).length);
}

/** True where the first counts that differ are fewer. */
function isLess(after: readonly number[], before: readonly number[]): boolean {
  const differs = after.findIndex((count, index) => count !== before[index]);
  return differs >= 0 && (after[differs] ?? 0) < (before[differs] ?? 0);
}

describe('AICL rules', () => {
  for (const row of AICL_RULES as readonly RuleRow[]) {
    describe(row.code, () => {
      if (!WITHOUT_EXAMPLE.has(row.code)) it('has a bad example', () => assert.notEqual(row.bad.length, 0));
      it('has a good example', () => assert.notEqual(row.good.length, 0));
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
          const found = withoutContext(validate(text), row);
          assert.deepEqual(
            found.map(({ code, severity, span, wire }) => ({ code, severity, span, wire })),
            spans.map(span => ({ code: row.code, severity: row.severity, span, wire: row.wire })),
          );
          for (const { message } of found) {
            assert.equal(message.endsWith(`(error ${row.wire})`), row.wire !== undefined, message);
            assert.match(message, /[^.]$/);
          }
        });
        it(`every fix of bad example ${index + 1} mends its issue and makes nothing worse`, () => {
          const before = validate(text);
          for (const issue of before.filter(({ code }) => code === row.code)) {
            for (const fix of issue.fixes ?? []) {
              const mended = applyEdits(text, fix.edits);
              const after = validate(mended);
              const left = after.filter(({ code }) => code === row.code);
              assert.ok(left.length < spans.length, `${fix.title} gave ${mended}`);
              assert.ok(isLess(weigh(after, row), weigh(before, row)), `${fix.title} gave ${mended}`);
            }
          }
        });
      });
      it(WITHOUT_FIX.has(row.code) ? 'has no fix' : 'has a fix, and a bad example that it mends', () => {
        const fixes = row.bad.flatMap(bad =>
          validate(readMarks(bad).text)
            .filter(issue => issue.code === row.code)
            .flatMap(issue => issue.fixes ?? []),
        );
        assert.equal(fixes.length === 0, WITHOUT_FIX.has(row.code));
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
