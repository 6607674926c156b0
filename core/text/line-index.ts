/** A position in an editor: line and UTF-16 character, both from 0. */
export interface LinePosition {
  readonly line: number;
  readonly character: number;
}

/** Converts between offsets and lines. LF, CRLF and CR end lines. */
export interface LineIndex {
  readonly lineCount: number;
  /** The offset at which a line starts; the text's length for a line past the end. */
  lineStart(line: number): number;
  /** The line that holds an offset; offsets outside the text are clamped to it. */
  lineAt(offset: number): number;
  toPosition(offset: number): LinePosition;
  /**
   * The offset of a position. A character past the end of its line
   * is clamped to the end of the line, before its line break.
   */
  toOffset(position: LinePosition): number;
}
