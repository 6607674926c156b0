import type { Severity } from '../text/issue.ts';

/**
 * A rule. The examples are used as tests and as documentation:
 * `«` and `»` enclose the range that a bad example reports.
 */
export interface RuleRow {
  readonly code: string;
  readonly severity: Severity;
  /** The error code with which a strict receiver would reply; it is appended to the message. */
  readonly wire?: number;
  /** True if the reported text could be removed without loss; editors fade it. */
  readonly isUnnecessary?: true;
  readonly title: string;
  /** Markdown: why it matters and what to do. */
  readonly explanation: string;
  readonly good: readonly string[];
  /** The JSON Schema of the tool `t` in the examples, if they need one that its agent reports. */
  readonly schema?: string;
  /** Each example reports only this rule, at the marked ranges. */
  readonly bad: readonly string[];
}

/** The languages of examples by the start of a rule's code; those of other rules are AICF. */
const EXAMPLE_LANGUAGES = [
  ['aicl/', 'aicl'],
  ['agent-json/', 'jsonc'],
] as const;

/** The language of a rule's examples, as in a fenced block of Markdown. */
export function exampleLanguage({ code }: RuleRow): 'aicl' | 'aicf' | 'jsonc' {
  return EXAMPLE_LANGUAGES.find(([start]) => code.startsWith(start))?.[1] ?? 'aicf';
}
