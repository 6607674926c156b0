import type { LinePosition } from '../core/text/line-index.ts';
import { isBoolean, isNumber, isShape, isString } from '../core/guard.ts';
import { isLinePosition, isWireRange, type WireRange } from './places.ts';

/** Client to server, a request: the text of a message that a place of a document lies in. The answer is a `TextAnswer` or null. */
export const TEXT_AT = 'parley/textAt';

export interface TextAtParams {
  readonly uri: string;
  readonly position: LinePosition;
}

/** A text of a message: where its content stands, and what it reads as. */
export interface TextAnswer {
  /** The version of the document that the positions mean. */
  readonly version: number;
  readonly range: WireRange;
  readonly text: string;
  readonly name: string;
  /** True where the message is signed: its signature does not fit a changed text. */
  readonly isSigned: boolean;
}

export const isTextAtParams = isShape<TextAtParams>({ uri: isString, position: isLinePosition });

export const isTextAnswer = isShape<TextAnswer>({
  version: isNumber,
  range: isWireRange,
  text: isString,
  name: isString,
  isSigned: isBoolean,
});
