import type { Fold } from './support.ts';

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
