import { isShape, isString, type Guard } from '../core/guard.ts';
import type { LinePosition } from '../core/text/source-text.ts';
import { isLinePosition } from './places.ts';

/**
 * A request of the client to the server. Any client may send it, so the server checks its parameters; the
 * result is made by our own code, so its type says enough.
 */
export interface WireRequest<Params, Result> {
  readonly method: string;
  readonly isParams: Guard<Params>;
  /** Only a type: it is never set. */
  readonly result?: Result;
}

/** A position of an open document. */
export interface DocumentPlace {
  readonly uri: string;
  readonly position: LinePosition;
}

export const isDocumentPlace = isShape<DocumentPlace>({ uri: isString, position: isLinePosition });
