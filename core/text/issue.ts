import type { Span } from './span.ts';
import type { TextEdit } from './edit.ts';

/** The severities of issues, the most severe first. */
export const SEVERITIES = ['error', 'warning', 'information', 'hint'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** An edit that resolves an issue. A `safe` fix does not change the meaning and may be applied without review. */
export interface Fix {
  readonly title: string;
  readonly edits: readonly TextEdit[];
  readonly safe: boolean;
}

/** A problem at a span of the text. `Code` is narrowed to the rule codes of the catalog. */
export interface Issue<Code extends string = string> {
  readonly code: Code;
  readonly severity: Severity;
  readonly span: Span;
  /** Sentence case: what is wrong, then what to do; no full stop at the end. */
  readonly message: string;
  /** The error code that a receiver of the message would reply with. */
  readonly wire?: number;
  /** True if this issue summarizes others that are too many to list, and at least one of them is an error. */
  readonly hidesError?: true;
  readonly fixes?: readonly Fix[];
  /** Related places: the first of two equal keys, a bracket that is never closed. */
  readonly related?: readonly RelatedPlace[];
}

/** A second place that is relevant to an issue, with an explanation. */
export interface RelatedPlace {
  readonly span: Span;
  readonly message: string;
}
