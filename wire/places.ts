import type { LinePosition } from '../core/text/source-text.ts';
import { isNumber, isShape, type Guard, type Guarded } from '../core/guard.ts';

/** A position in a document, in the form of the Language Server Protocol. */
export const isLinePosition: Guard<LinePosition> = isShape({ line: isNumber, character: isNumber });
export const isWireRange = isShape({ start: isLinePosition, end: isLinePosition });

/** A range of a document, in the same form. */
export type WireRange = Guarded<typeof isWireRange>;
