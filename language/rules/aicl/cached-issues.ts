import { type AtomNode, hasRuns, type Children } from '../../aicl/ast.ts';
import { isRun } from '../../aicl/run.ts';
import type { AiclRuleCode } from '../../../core/catalog/aicl-rules.ts';
import type { Issue } from '../../../core/text/issue.ts';
import type { Span } from '../../../core/text/span.ts';
import { moveIssue } from '../move-issue.ts';
import { UnitReport } from './report.ts';

/** Cached issues of unchanged parts of long messages, relative to the start of the part. */
const CACHE = new WeakMap<object, readonly Issue<AiclRuleCode>[]>();
/** Rules whose fixes are available only if the message has no syntax faults. */
const FIXED_WHEN_WHOLE: ReadonlySet<AiclRuleCode> = new Set<AiclRuleCode>(['aicl/duplicate-key']);

/** Checks the children of a group. Issues of unchanged runs in long groups are taken from the cache. */
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
    // A run of the other kind, such as pairs in a list, is checked differently and not cached.
    if (isRun(part) && part.run.kind === kind) keepIssues(report, part.run, part.start, checkAll);
    else checkAll(report);
  }
}

/** Checks an atom. Issues of an unchanged long atom are taken from the cache. */
export function checkCached(
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
  let issues = CACHE.get(key);
  if (!issues) {
    const inner = new UnitReport({ ...report.reading, faults: [] }, report.settings);
    check(inner);
    issues = inner.issues.map(issue => moveIssue(issue, -start));
    CACHE.set(key, issues);
  }
  const isWhole = report.reading.faults.length === 0;
  for (const issue of issues) {
    const moved = moveIssue(issue, start);
    const { fixes, ...unfixed } = moved;
    const isFixed = isWhole || !fixes || !FIXED_WHEN_WHOLE.has(issue.code);
    report.addFound(isFixed ? moved : unfixed);
  }
}
