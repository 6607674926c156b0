import type { Severity } from '../text/issue.ts';

/**
 * What can be said about a text: one row a rule. The check stands in validate/ or, for syntax, in the parser.
 * Examples are the rule's tests and its documentation: `«` and `»` enclose the range that a bad example reports.
 */
export interface RuleRow {
  readonly code: string;
  readonly severity: Severity;
  /** The wire code that a strict receiver would answer with; it ends the message. */
  readonly wire?: number;
  /** True where what is reported could go without a loss: editors fade it. */
  readonly isUnnecessary?: true;
  readonly title: string;
  /** Markdown: why it matters and what to do. */
  readonly explanation: string;
  readonly good: readonly string[];
  /** Each reports this rule at the marked ranges and no other rule. */
  readonly bad: readonly string[];
}
