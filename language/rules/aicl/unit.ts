import {
  CONTENT_START,
  type AiclNode,
  type AtomNode,
  type PairNode,
  type UnitTree,
  type Children,
} from '../../aicl/ast.ts';
import type { AiclDocument, UnitCheck } from '../../aicl/document.ts';
import type { RuleCode } from '../../../core/catalog/rules.ts';
import { holdsVariable } from '../../variables.ts';
import { replaceFix } from '../../fix.ts';
import type { Issue } from '../../../core/text/issue.ts';
import { CappedIssues } from '../cap.ts';
import { moveIssue } from '../move-issue.ts';
import { isOff, weighIssue } from '../severities.ts';
import { checkCalls } from './calls.ts';
import { checkBool, checkFloat, checkInt } from './literals.ts';
import { checkDuplicateKeys } from './duplicate-keys.ts';
import { escapeFixes } from './escape-fix.ts';
import { checkChildren, checkCached } from './cached-issues.ts';
import { checkMessage, FRAGMENT } from './message.ts';
import { checkSessions } from './sessions.ts';
import { findLeftovers } from './leftovers.ts';
import { UnitReport } from './report.ts';
import { checkTensor } from './tensor.ts';
import { checkText } from './text.ts';
import { wrapFixes } from './wrap.ts';

/** The check of each kind of atom; a kind without one does not compile. */
const ATOM_CHECKS: Readonly<Record<AtomNode['kind'], (report: UnitReport, atom: AtomNode) => void>> = {
  text: checkText,
  int: unlessVariable(checkInt),
  float: unlessVariable(checkFloat),
  bool: unlessVariable(checkBool),
  tensor: checkTensor,
};

/** A literal with a variable is checked after the replacement (reading of requests in files, section 9). */
function unlessVariable(
  check: (report: UnitReport, atom: AtomNode) => void,
): (report: UnitReport, atom: AtomNode) => void {
  return (report, atom) => {
    if (!holdsVariable(report.source(atom))) check(report, atom);
  };
}

/** Runs all rules on one unit: syntax, literals, and the message if the syntax has no faults. */
export const checkAiclUnit: UnitCheck = (reading, settings, fields) => {
  const report = new UnitReport(reading, settings);
  for (const fault of reading.faults) {
    const { code, span, message, fixes = [], related } = fault;
    const escape = escapeFixes(report, fault);
    report.add(code, span, message, escape.length > 0 ? escape : fixes, related);
  }
  const { tree } = reading;
  if (!tree) return report.issues;
  if (tree.kind === 'pairs') {
    checkPairs(report, tree.pairs);
    checkTrailingComma(report, tree.trailingComma);
  } else if (!reading.isPlain) checkNode(report, tree.root);
  if (tree.kind !== 'message') reportFragment(report, tree);
  else if (reading.faults.length === 0) checkMessage(report, tree.root, fields);
  return report.issues;
};

/** The issues of a document in text order, at most as many as the settings allow. */
export function validateAicl(doc: AiclDocument): readonly Issue<RuleCode>[] {
  const issues = new CappedIssues(doc.settings.maxIssues);
  const leftovers = findLeftovers(doc);
  for (const unit of doc.units.withIssues()) {
    for (const issue of leftovers.get(unit.start) ?? unit.issues)
      if (!isOff(issue.code, doc.settings))
        issues.add(moveIssue(weighIssue(issue, doc.settings), unit.start));
  }
  for (const issue of [...checkSessions(doc.units), ...checkCalls(doc)])
    if (!isOff(issue.code, doc.settings)) issues.add(weighIssue(issue, doc.settings));
  return issues.list();
}

function checkNode(report: UnitReport, node: AiclNode): void {
  if (node.kind === 'list') {
    checkChildren(report, node.items, 'items', checkItem);
    checkTrailingComma(report, node.trailingComma);
  } else if (node.kind === 'dict') {
    checkPairs(report, node.pairs);
    checkTrailingComma(report, node.trailingComma);
  } else if (node.contentEnd < node.end) checkCached(report, node, ATOM_CHECKS[node.kind]);
}

function checkItem(report: UnitReport, item: AiclNode): void {
  if (item.kind === 'text' && item.contentEnd < item.end) checkText(report, item, true);
  else checkNode(report, item);
}

function checkPairs(report: UnitReport, pairs: Children<PairNode>): void {
  checkChildren(report, pairs, 'pairs', (to, { key, value }) => {
    checkText(to, key);
    if (value) checkNode(to, value);
  });
  checkDuplicateKeys(report, pairs);
}

function checkTrailingComma(report: UnitReport, at: number): void {
  if (at < 0) return;
  const span = { start: at, end: at + 1 };
  report.add('aicl/trailing-comma', span, 'Nothing follows this comma: remove it', [
    replaceFix('Remove the comma', span, ''),
  ]);
}

function reportFragment(report: UnitReport, tree: Exclude<UnitTree, { kind: 'message' }>): void {
  const end = (tree.kind === 'pairs' ? tree.pairs.at(0)?.key.end : undefined) ?? CONTENT_START;
  report.add('aicl/fragment', { start: 0, end }, FRAGMENT, wrapFixes(report, tree));
}
