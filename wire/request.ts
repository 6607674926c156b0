import { isShape, isString, type Guard, type Guarded } from '../core/guard.ts';
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

export const isDocumentPlace = isShape({ uri: isString, position: isLinePosition });

/** A position of an open document. */
export type DocumentPlace = Guarded<typeof isDocumentPlace>;
