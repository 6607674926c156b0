import assert from 'node:assert/strict';
import { after, describe, it } from 'mocha';
import { AICF_COMMANDS } from '../../core/catalog/aicf.ts';
import type { RuleCode } from '../../core/catalog/rules.ts';
import { DEFAULT_SETTINGS } from '../../core/catalog/settings.ts';
import type { OpenDocument, OutlineSymbol } from '../../language/support.ts';
import { LANGUAGE_SUPPORT } from '../../language/languages.ts';
import type { Issue } from '../../core/text/issue.ts';
import type { Span } from '../../core/text/span.ts';
import { listAicfLines, listAicfMessages, type SampleLine } from './support/aicf-tokens.ts';
import {
  DamageTable,
  describeDamage,
  listDamages,
  listNewIssues,
  listSamples,
  moveSymbol,
  type Damage,
} from './support/damage.ts';
import { sized } from '../support/size.ts';

const open = (text: string): OpenDocument => LANGUAGE_SUPPORT.aicf.open(text, DEFAULT_SETTINGS);
const SAMPLES = listSamples('aicf');
/** The gate tries a part of the damages. */
const EVERY = sized(1, 17);

/** What is said of a call is about its tool's `TOOL` line as well: where that is damaged, it is said at the calls. */
const OF_THE_CALL: ReadonlySet<RuleCode> = new Set([
  'aicf/unknown-tool',
  'aicf/extra-arguments',
  'aicf/missing-argument',
  'aicf/argument-type',
]);

/** A damaged line with what its issues may be about besides. */
interface DamagedLine {
  readonly damage: Damage;
  readonly line: SampleLine;
  /** Where the stream line before it starts; its own start where there is none. */
  readonly streamLine: number;
  /** Where the next call ends. */
  readonly callEnd: number;
}

/**
 * True for an issue where the damage is or right after it: it lies in the damaged line and begins before the token after
 * the damage ends. Comparisons of lines are in the place where they are known: the content of a call, anywhere in its line, or in the
 * next call where a `TOOL` line is damaged; a lost end, at the last line of the stream before it.
 */
function isAtDamage(issue: Issue<RuleCode>, { damage, line, streamLine, callEnd }: DamagedLine): boolean {
  const { start } = issue.span;
  if (issue.code === 'aicf/stream-without-end') return start >= streamLine && start <= line.start;
  const lineEnd = (line.command === 'TOOL' ? callEnd : line.end) + damage.moveBy;
  return start >= line.start && start <= (OF_THE_CALL.has(issue.code) ? lineEnd : damage.place.end);
}

describe('AICF with one token damaged', () => {
  const table = new DamageTable();
  after(() => console.log(table.print()));

  for (const { name, text } of SAMPLES) {
    it(`${name}: at most two diagnostics (hints apart), the first at the damage or right after it, or where the lines that it is about are compared; the others keep their outline`, () => {
      checkFile(text, table);
    });
  }
});

function checkFile(text: string, table: DamageTable): void {
  let place = 0;
  const whole = open(text);
  const known = whole.validate();
  const messages = listAicfMessages(text);
  for (const [index, message] of messages.entries()) {
    const expected = listOutline(whole, message);
    // The end of the line of the call that follows.
    const callEnd =
      messages.slice(index + 1).find(next => next.lines[0]?.command === 'CALL')?.end ?? message.end;
    for (const [lineIndex, line] of message.lines.entries()) {
      const streamLine = (message.lines[lineIndex - 1] ?? line).start;
      for (const damage of listDamages(text, line.tokens)) {
        if (place++ % EVERY !== 0) continue;
        const damaged = open(damage.text);
        const issues = listNewIssues(known, damaged.validate());
        const [first] = issues;
        const reported = describeDamage(damage, issues);
        table.count(damage, issues.length);
        assert.ok(issues.length <= 2, reported);
        assert.ok(!first || isAtDamage(first, { damage, line, streamLine, callEnd }), reported);
        const end = message.end + damage.moveBy;
        const below = expected.below.map(symbol => moveSymbol(symbol, damage.moveBy));
        assert.deepEqual(
          listOutline(damaged, { start: message.start, end }),
          { above: expected.above, below },
          reported,
        );
      }
    }
  }
}

/** The messages before and after a place, each for itself: whether a reply follows a request does not matter. */
function listOutline(
  doc: OpenDocument,
  { start, end }: Span,
): { readonly above: readonly OutlineSymbol[]; readonly below: readonly OutlineSymbol[] } {
  const all = doc
    .symbols()
    .flatMap(symbol => [symbol, ...symbol.children])
    // The content of a result is one level deeper below a request.
    .filter(symbol => symbol.kind !== 'field')
    .map(symbol => ({ ...symbol, span: symbol.nameSpan, children: [] }));
  return {
    above: all.filter(symbol => symbol.nameSpan.start < start),
    below: all.filter(symbol => symbol.nameSpan.start > end),
  };
}

describe('the AICF samples', () => {
  const lines = SAMPLES.flatMap(({ text }) => listAicfLines(text));

  it('are at least 40 lines in several files, of every command, that nothing is said of', () => {
    assert.ok(lines.length >= 40 && SAMPLES.length > 3, `${lines.length} lines in ${SAMPLES.length} files`);
    for (const { name } of AICF_COMMANDS)
      assert.ok(
        lines.some(line => line.command === name),
        name,
      );
    for (const { name, text } of SAMPLES) assert.deepEqual(open(text).validate(), [], name);
  });

  it('are tokens, line ends and comments, and nothing else', () => {
    for (const { name, text } of SAMPLES) {
      const tokens = listAicfLines(text).flatMap(line => line.tokens);
      const joined = tokens.map(token => text.slice(token.start, token.end)).join('');
      assert.equal(joined, text.replace(/^#.*$/gm, '').replaceAll('\n', ''), name);
    }
  });
});
