import type { PartDraft } from './draft.ts';

/** Reads the body of a reply in the words of one protocol, part by part, while it comes. Total, and linear. */
export interface BodyParts {
  /** Takes text that came at a time, in milliseconds since 1970. */
  push(text: string, at: number): void;
  /** Nothing more comes; what is read only then is read in slices. */
  endSteps(): Generator<undefined, void>;
  /** The parts as they stand. */
  list(): BodyList;
}

/** What a body says so far. */
export interface BodyList {
  readonly parts: readonly PartDraft[];
  /** What is odd about it as a whole. */
  readonly notes: readonly string[];
}
