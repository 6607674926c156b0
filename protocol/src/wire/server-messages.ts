import { LANGUAGES, type LanguageId } from '../catalog/languages.ts';
import type { LinePosition } from '../text/line-index.ts';
import type { Directives } from '../language/directives.ts';
import { hasShape, isRecord } from './guard.ts';

/** What the client tells the server when it starts: `initializationOptions`. */
export interface ServerOptions {
  /** True where the client has the command `parley.send` and may run it: the server then offers Send lenses. */
  readonly canSend: boolean;
}

/** Options from what a client sent; an unknown client gets no lenses for a command that it lacks. */
export function readServerOptions(value: unknown): ServerOptions {
  return { canSend: isRecord(value) && value['canSend'] === true };
}

/** Client to server, a notification: whether Send may be offered changed (the workspace was trusted). */
export const OPTIONS_CHANGED = 'parley/optionsChanged';

/** Client to server, a request: which request stands at this place, as it would go out. */
export const REQUEST_AT = 'parley/requestAt';

export interface RequestAtParams {
  readonly uri: string;
  readonly position: LinePosition;
}

/** The answer; null where no request stands there. */
export interface RequestAtResult {
  readonly language: LanguageId;
  readonly title: string;
  readonly wireText: string;
  readonly directives: Directives;
  readonly start: LinePosition;
  readonly end: LinePosition;
  /** Errors in the message, as `line: message`: they stop a send unless the user sends anyway. */
  readonly blockers: readonly string[];
  /** Why it can never be sent as it stands; absent where nothing forbids it. */
  readonly refusal?: string;
}

export function isRequestAtParams(value: unknown): value is RequestAtParams {
  return hasShape(value, { uri: 'string', position: 'object' }) && isLinePosition(value['position']);
}

export function isRequestAtResult(value: unknown): value is RequestAtResult {
  return (
    hasShape(value, {
      language: 'string',
      title: 'string',
      wireText: 'string',
      directives: 'object',
      start: 'object',
      end: 'object',
    }) &&
    LANGUAGES.some(row => row.id === value['language']) &&
    isLinePosition(value['start']) &&
    isLinePosition(value['end']) &&
    Array.isArray(value['blockers']) &&
    ['string', 'undefined'].includes(typeof value['refusal'])
  );
}

function isLinePosition(value: unknown): value is LinePosition {
  return hasShape(value, { line: 'number', character: 'number' });
}

/** The command behind a Send lens; its arguments are the document's URI and the request's position. */
export const SEND_COMMAND = 'parley.send';
