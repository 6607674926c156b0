import type { Span } from '../core/text/span.ts';

/** A range of lines that can be folded: from the line of `start` to the line of `end`. */
export interface Fold {
  readonly span: Span;
  readonly kind: 'region' | 'comment';
}

/** The first folds of a text. */
export interface FoldList {
  readonly folds: readonly Fold[];
  /** True where the text has more. */
  readonly isCut: boolean;
}

/** At most `most` of all folds of a text. */
export function firstFolds(folds: readonly Fold[], most: number): FoldList {
  const isCut = folds.length > most;
  return { folds: isCut ? folds.slice(0, most) : folds, isCut };
}
