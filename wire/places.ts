import type { LinePosition } from '../core/text/source-text.ts';
import { isNumber, isShape } from '../core/guard.ts';

/** A range of a document in the form of the Language Server Protocol. */
export interface WireRange {
  readonly start: LinePosition;
  readonly end: LinePosition;
}

export const isLinePosition = isShape<LinePosition>({ line: isNumber, character: isNumber });
export const isWireRange = isShape<WireRange>({ start: isLinePosition, end: isLinePosition });
