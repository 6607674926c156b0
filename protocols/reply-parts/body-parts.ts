import type { PartDraft } from './draft.ts';

/** Reads the body of a reply of one protocol part by part while it arrives. Total, and linear. */
export interface BodyParts {
  /** Takes text that arrived at a time in milliseconds since 1970. */
  push(text: string, at: number): void;
  /** Ends the body; text that can only be read as a whole is read now, in slices. */
  endSteps(): Generator<undefined, void>;
  /** The parts so far. */
  list(): BodyList;
}

/** The parts of a body so far. */
export interface BodyList {
  readonly parts: readonly PartDraft[];
  /** Irregularities of the body as a whole. */
  readonly notes: readonly string[];
}
