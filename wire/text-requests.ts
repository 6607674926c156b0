import type { WireRange } from './places.ts';
import { isDocumentPlace, type DocumentPlace, type WireRequest } from './request.ts';

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

/** The text value of a message at a position; null if there is none. */
export const TEXT_AT: WireRequest<DocumentPlace, TextAnswer | null> = {
  method: 'parley/textAt',
  isParams: isDocumentPlace,
};
