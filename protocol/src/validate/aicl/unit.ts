import type { AiclNode, AtomNode, PairNode } from '../../aicl/ast.ts';
import type { Children } from '../../aicl/children.ts';
import type { AiclDocument, UnitCheck } from '../../aicl/document.ts';
import type { AiclRuleCode } from '../../catalog/aicl-rules.ts';
import type { RuleCode } from '../../catalog/rules.ts';
import { replaceFix } from '../../text/fix.ts';
import type { Issue } from '../../text/issue.ts';
import { shiftSpan } from '../../text/span.ts';
import { capIssues } from '../cap.ts';
import { checkBool, checkFloat, checkInt } from './literals.ts';
import { checkDuplicateKeys } from './duplicate-keys.ts';
import { checkMessage } from './message.ts';
import { UnitReport } from './report.ts';
import { checkTensor } from './tensor.ts';
import { checkText } from './text.ts';

/** The check of each kind of atom: a kind without one does not compile. */
const ATOM_CHECKS: Readonly<Record<AtomNode['kind'], (report: UnitReport, atom: AtomNode) => void>> = {
  text: checkText,
  int: checkInt,
  float: checkFloat,
  bool: checkBool,
  tensor: checkTensor,
};

/** All rules over one unit: its syntax, its literals, and the message where the syntax is whole. */
export const checkAiclUnit: UnitCheck = (reading, settings) => {
  const report = new UnitReport(reading, settings);
  for (const fault of reading.faults) report.add(fault.code, fault.span, fault.message, fault.fixes);
  const { tree } = reading;
  if (!tree) return report.issues;
  if (tree.kind === 'pairs') {
    checkPairs(report, tree.pairs);
    checkTrailingComma(report, tree.trailingComma);
  } else checkNode(report, tree.root);
  if (tree.kind !== 'message')
    reportFragment(report, tree.kind === 'pairs' ? tree.pairs.at(0)?.key.end : undefined);
  else if (reading.faults.length === 0) checkMessage(report, tree.root);
  return report.issues;
};

/** A document's issues in order of their place, at most as many as the settings allow. */
export function validateAicl(doc: AiclDocument): readonly Issue<RuleCode>[] {
  const issues: Issue<AiclRuleCode>[] = [];
  for (const unit of doc.units.withIssues()) {
    for (const issue of unit.issues) issues.push(moveIssue(issue, unit.start));
  }
  return capIssues(issues, doc.settings.maxIssues);
}

function moveIssue<Code extends string>(issue: Issue<Code>, by: number): Issue<Code> {
  const fixes = issue.fixes?.map(fix => ({
    ...fix,
    edits: fix.edits.map(edit => ({ ...edit, span: shiftSpan(edit.span, by) })),
  }));
  return { ...issue, span: shiftSpan(issue.span, by), ...(fixes && { fixes }) };
}

function checkNode(report: UnitReport, node: AiclNode): void {
  if (node.kind === 'list') {
    for (const item of node.items) checkNode(report, item);
    checkTrailingComma(report, node.trailingComma);
  } else if (node.kind === 'dict') {
    checkPairs(report, node.pairs);
    checkTrailingComma(report, node.trailingComma);
  } else if (node.contentEnd < node.end) ATOM_CHECKS[node.kind](report, node);
}

function checkPairs(report: UnitReport, pairs: Children<PairNode>): void {
  for (const pair of pairs) {
    checkText(report, pair.key);
    if (pair.value) checkNode(report, pair.value);
  }
  checkDuplicateKeys(report, pairs);
}

function checkTrailingComma(report: UnitReport, at: number): void {
  if (at < 0) return;
  const span = { start: at, end: at + 1 };
  report.add('aicl/trailing-comma', span, 'Nothing follows this comma: remove it', [
    replaceFix('Remove the comma', span, ''),
  ]);
}

function reportFragment(report: UnitReport, keyEnd: number | undefined): void {
  const message = 'A fragment, not a message: it can be looked at but not sent';
  report.add('aicl/fragment', { start: 0, end: keyEnd ?? 3 }, message);
}
