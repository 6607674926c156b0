/** What an editor shows in the text although it does not stand there. */
export interface TextHint {
  /** The hint stands before the character at this offset. */
  readonly offset: number;
  readonly label: string;
  /** Plain text for the pointer. */
  readonly tooltip: string;
  /** An escape has no space behind it: its text goes on there. */
  readonly kind: 'parameter' | 'type' | 'escape';
}

/** A span of a whole file has hints on its first ones only: an editor asks for what it shows. */
export const MOST_HINTS = 1_000;
