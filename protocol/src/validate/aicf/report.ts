import type { Call } from '../../aicf/call.ts';
import type { PlacedLine } from '../../aicf/lines.ts';
import type { AicfDocument } from '../../aicf/parse.ts';
import type { ToolTable } from '../../aicf/tools.ts';
import { findAicfRule, type AicfRuleCode } from '../../catalog/aicf-rules.ts';
import type { TextEdit } from '../../text/edit.ts';
import type { Fix, Issue } from '../../text/issue.ts';
import { shiftSpan, type Span } from '../../text/span.ts';

/** A line as the rules see it. */
export interface LineView extends PlacedLine {
  /** What a `CALL` line says; undefined on other lines. */
  readonly call: Call | undefined;
}

/** What the rules share about a file. */
export interface RuleContext {
  readonly doc: AicfDocument;
  readonly tools: ToolTable;
  readonly report: (issue: Issue<AicfRuleCode>) => void;
}

/** A rule at work on one file: it sees the lines in their order, then the end. */
export interface LineVisitor {
  readonly visit: (line: LineView) => void;
  readonly finish?: () => void;
}

/** Starts a rule on a file. */
export type AicfRule = (context: RuleContext) => LineVisitor;

/** An issue with its row's severity; the wire code of the row ends the message. */
export function buildIssue(
  code: AicfRuleCode,
  span: Span,
  message: string,
  fixes: readonly Fix[] = [],
): Issue<AicfRuleCode> {
  const { severity, wire } = findAicfRule(code);
  return {
    code,
    severity,
    span,
    message: wire === undefined ? message : `${message} (${wire})`,
    ...(wire === undefined ? {} : { wire }),
    ...(fixes.length > 0 ? { fixes } : {}),
  };
}

/** The same for a span that counts from the start of a line, as trees do. */
export function buildLineIssue(
  code: AicfRuleCode,
  line: PlacedLine,
  span: Span,
  message: string,
  fixes: readonly Fix[] = [],
): Issue<AicfRuleCode> {
  return buildIssue(code, shiftSpan(span, line.start), message, fixes);
}

/** A fix of one replacement in a line that changes no meaning. */
export function buildSafeFix(title: string, line: PlacedLine, span: Span, newText: string): Fix {
  return { title, edits: [lineEdit(line, span, newText)], safe: true };
}

/** A fix of one replacement in a line that a person should look at. */
export function buildFix(title: string, line: PlacedLine, span: Span, newText: string): Fix {
  return { title, edits: [lineEdit(line, span, newText)], safe: false };
}

function lineEdit(line: PlacedLine, span: Span, newText: string): TextEdit {
  return { span: shiftSpan(span, line.start), newText };
}

/** A number with its noun: `1 column`, `2 columns`. */
export function countNoun(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
