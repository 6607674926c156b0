import type { Span } from './span.ts';
import type { TextEdit } from './edit.ts';

export const SEVERITIES = ['error', 'warning', 'information', 'hint'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** A change that mends an issue. `safe` fixes change no meaning and may be applied without a look. */
export interface Fix {
  readonly title: string;
  readonly edits: readonly TextEdit[];
  readonly safe: boolean;
}

/** Something that a reader of the text should know, at a place. `Code` is narrowed to the catalog's rule codes. */
export interface Issue<Code extends string = string> {
  readonly code: Code;
  readonly severity: Severity;
  readonly span: Span;
  /** Sentence case: what is wrong, then what to do; no full stop at the end. */
  readonly message: string;
  /** The code with which a receiver of the message would answer. */
  readonly wire?: number;
  /** True for one that stands for others, which are too many to be listed, where an error is among them. */
  readonly hidesError?: true;
  readonly fixes?: readonly Fix[];
  /** Other places that belong to it: the first of two keys, the bracket that stays open. */
  readonly related?: readonly RelatedPlace[];
}

/** A second place of an issue, and what stands there. */
export interface RelatedPlace {
  readonly span: Span;
  readonly message: string;
}
