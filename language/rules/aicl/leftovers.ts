import { bracketFault } from '../../aicl/recovery/bracket-fault.ts';
import type { AiclDocument } from '../../aicl/document.ts';
import { extraBrackets, foreignMessage } from '../../aicl/fault-words.ts';
import { Scanner } from '../../aicl/scanner.ts';
import { BracketEnds } from '../../aicl/text-ends.ts';
import type { Unit } from '../../aicl/unit.ts';
import type { AiclRuleCode } from '../../../core/catalog/aicl-rules.ts';
import type { Issue } from '../../../core/text/issue.ts';
import { moveFix } from '../move-issue.ts';
import { makeIssue } from './report.ts';

/** Maximum length of a message, with the text after it, that is read again. */
const MAX_READ = 131_072;

/**
 * The issues of foreign text, with better fixes if it follows a message or value. If both together are valid
 * when brackets inside texts belong to these texts, as in `[d:[s:a]:[s:see [1]]]`, that was probably meant:
 * the fix escapes the brackets and removes nothing.
 */
export function leftoverIssues(doc: AiclDocument, unit: Unit): readonly Issue<AiclRuleCode>[] {
  const { start, end, issues } = unit;
  const before = doc.units.at(doc.units.indexFrom(start) - 1);
  if (!before?.isAccepted || before.kind === 'container' || end - before.start > MAX_READ) return issues;
  const source = doc.text.slice(before.start, end);
  const ends = new BracketEnds(source, doc.work, 'closed');
  const whole = new Scanner(source, doc.work).accept(0, { ends });
  const fault = whole?.end === source.length ? bracketFault('closed', source, 0, ends.texts) : undefined;
  if (!fault) return issues;
  const back = before.start - start;
  const fixes = (fault.fixes ?? []).map(fix => ({
    ...moveFix(fix, back),
    // The message is also valid as written, so the fix may change its meaning.
    safe: false,
  }));
  const rest = source.slice(-back);
  return issues.map(({ code, span }) => ({
    ...makeIssue(
      code,
      span,
      code === 'aicl/extra-bracket' ? extraBrackets(rest, true) : foreignMessage(rest, true),
    ),
    fixes,
  }));
}
