import type { LinePosition } from '../core/text/source-text.ts';
import { isBoolean, isNumber, isShape, isString } from '../core/guard.ts';
import { isLinePosition, isWireRange, type WireRange } from './places.ts';

/** Client to server, a request: the text value of a message at a position. The result is a `TextAnswer` or null. */
export const TEXT_AT = 'parley/textAt';

export interface TextAtParams {
  readonly uri: string;
  readonly position: LinePosition;
}

/** The range of a text's content, and its value. */
export interface TextAnswer {
  /** The version of the document that the positions refer to. */
  readonly version: number;
  readonly range: WireRange;
  readonly text: string;
  readonly name: string;
  /** True if the message is signed: a change of the text would invalidate the signature. */
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
