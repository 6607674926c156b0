import type { AtomNode } from '../../aicl/ast.ts';
import { hasRuns, type Children } from '../../aicl/children.ts';
import { isRun } from '../../aicl/run.ts';
import type { AiclRuleCode } from '../../../core/catalog/aicl-rules.ts';
import type { Issue } from '../../../core/text/issue.ts';
import type { Span } from '../../../core/text/span.ts';
import { moveIssue } from '../move-issue.ts';
import { UnitReport } from './report.ts';

/** What was found in the stretches of long messages that edits leave as they are, in offsets from their starts. */
const KEPT = new WeakMap<object, readonly Issue<AiclRuleCode>[]>();
/** Their fixes are offered only where the message is whole. */
const FIXED_WHEN_WHOLE: ReadonlySet<AiclRuleCode> = new Set<AiclRuleCode>(['aicl/duplicate-key']);

/** Checks what stands in a group; a stretch of a long one that was checked before is not looked at again. */
export function checkChildren<Node extends Span>(
  report: UnitReport,
  children: Children<Node>,
  kind: 'items' | 'pairs',
  check: (report: UnitReport, child: Node) => void,
): void {
  if (!hasRuns(children)) {
    for (const child of children) check(report, child);
    return;
  }
  for (const [index, part] of children.parts.entries()) {
    const checkAll = (to: UnitReport): void => {
      for (const child of children.nodesOf(index)) check(to, child);
    };
    // Pairs in a list are looked at in another way than pairs.
    if (isRun(part) && part.run.kind === kind) keepIssues(report, part.run, part.start, checkAll);
    else checkAll(report);
  }
}

/** Checks an atom; a long one that was checked before is not looked at again. */
export function checkKept(
  report: UnitReport,
  atom: AtomNode,
  check: (report: UnitReport, atom: AtomNode) => void,
): void {
  if (!atom.origin) check(report, atom);
  else keepIssues(report, atom.origin, atom.start, to => check(to, atom));
}

function keepIssues(
  report: UnitReport,
  key: object,
  start: number,
  check: (report: UnitReport) => void,
): void {
  let issues = KEPT.get(key);
  if (!issues) {
    const inner = new UnitReport({ ...report.reading, faults: [] }, report.settings);
    check(inner);
    issues = inner.issues.map(issue => moveIssue(issue, -start));
    KEPT.set(key, issues);
  }
  const isWhole = report.reading.faults.length === 0;
  for (const issue of issues) {
    const moved = moveIssue(issue, start);
    const { fixes, ...unfixed } = moved;
    const isFixed = isWhole || !fixes || !FIXED_WHEN_WHOLE.has(issue.code);
    report.addFound(isFixed ? moved : unfixed);
  }
}
