import { findDialect, type AicfDialect } from '../core/catalog/aicf-dialects.ts';
import { LANGUAGES, type LanguageId } from '../core/catalog/languages.ts';
import type { LinePosition } from '../core/text/line-index.ts';
import type { Directives } from '../language/directives.ts';
import type { EnvironmentVariable, Scope, ScopedVariable } from '../language/variables/scope.ts';
import { asList } from '../core/text/fields.ts';
import type { Span } from '../core/text/span.ts';
import {
  isListOf,
  isNumber,
  isOneOf,
  isOptional,
  isPartOf,
  isRecord,
  isShape,
  isString,
  type Guard,
} from '../core/guard.ts';
import { isLinePosition } from './places.ts';

/** What the client tells the server when it starts: `initializationOptions`. */
export interface ServerOptions {
  /** True where the client has the command `parley.send` and may run it: the server then offers Send lenses. */
  readonly canSend: boolean;
  /** True where the client has the command `parley.inspectTensor`: the server then offers Inspect lenses. */
  readonly canInspect: boolean;
  /** True where the client has the command `parley.showMedia`: the server then offers lenses of pictures and files. */
  readonly canShowMedia: boolean;
  /** True where the client has the commands `parley.convert` and `parley.compareCost`: lenses and actions run them. */
  readonly canConvert: boolean;
  /** The names of the agents that a request can go to: completion proposes them. */
  readonly agents: readonly string[];
  /** Files whose dialect the user chose: they are read in it, whatever they look like. */
  readonly dialects: readonly DialectChoice[];
  /** True where the client shows which dialect a file is read in: it is then told, by `DIALECT_READ`. */
  readonly showsDialects: boolean;
  /** The variables of the environment that requests are sent with. */
  readonly environment: readonly EnvironmentVariable[];
  /** The names of the secrets that the client keeps: completion proposes them. */
  readonly secrets: readonly string[];
}

export interface DialectChoice {
  readonly uri: string;
  readonly dialect: AicfDialect;
}

/** Options from what a client sent; an unknown client gets no lenses for a command that it lacks. */
export function readServerOptions(value: unknown): ServerOptions {
  const options: Readonly<Record<string, unknown>> = isRecord(value) ? value : {};
  const { canSend, canInspect, canShowMedia, canConvert } = options;
  const { agents, dialects, showsDialects, environment, secrets } = options;
  return {
    canSend: canSend === true,
    canInspect: canInspect === true,
    canShowMedia: canShowMedia === true,
    canConvert: canConvert === true,
    agents: asList(agents).filter(name => typeof name === 'string'),
    dialects: asList(dialects).filter(isDialectChoice),
    showsDialects: showsDialects === true,
    environment: asList(environment).filter(isEnvironmentVariable),
    secrets: asList(secrets).filter(name => typeof name === 'string'),
  };
}

const isEnvironmentVariable = isPartOf<EnvironmentVariable>({
  name: isString,
  value: isString,
  environment: isString,
});
const isDialect: Guard<AicfDialect> = (value): value is AicfDialect => findDialect(value) !== undefined;

export const isDialectChoice = isShape<DialectChoice>({ uri: isString, dialect: isDialect });

/** Server to client, a notification: which dialect a document is read in, told when it is opened and when it changes. */
export const DIALECT_READ = 'parley/dialectRead';

export interface DialectReadParams {
  readonly uri: string;
  readonly dialect: AicfDialect;
  /** A sentence for people: why. */
  readonly reason: string;
}

export const isDialectReadParams = isShape<DialectReadParams>({
  uri: isString,
  dialect: isDialect,
  reason: isString,
});

/** Client to server, a notification: the options changed, such as when the workspace was trusted. */
export const OPTIONS_CHANGED = 'parley/optionsChanged';

/** Client to server, a request: which request is at this place. Its text stays with the client. */
export const REQUEST_AT = 'parley/requestAt';

export interface RequestAtParams {
  readonly uri: string;
  readonly position: LinePosition;
}

/** The answer; null where no request stands there. */
export interface RequestAtResult {
  readonly language: LanguageId;
  readonly title: string;
  /** The version of the document that this is about. */
  readonly version: number;
  /** The payloads of tensors in it, as UTF-16 offsets: their white space is not sent. */
  readonly payloads: readonly Span[];
  readonly directives: Directives;
  readonly start: LinePosition;
  readonly end: LinePosition;
  /** Errors in the message, as `line: message`: they stop a send unless the user sends anyway. */
  readonly blockers: readonly string[];
  /** Why it can never be sent as it stands; absent where nothing forbids it. */
  readonly refusal?: string;
  /** What its variables can use, but for environments; absent for a request in which none is replaced. */
  readonly scope?: Scope;
}

export const isRequestAtParams = isShape<RequestAtParams>({ uri: isString, position: isLinePosition });

const isScope = isShape<Scope>({
  variables: isListOf(isPartOf<ScopedVariable>({ name: isString, value: isString })),
  requests: isListOf(isString),
  below: isListOf(isString),
});

export const isRequestAtResult = isShape<RequestAtResult>({
  language: isOneOf(LANGUAGES.map(({ id }) => id)),
  title: isString,
  version: isNumber,
  payloads: isListOf(isShape<Span>({ start: isNumber, end: isNumber })),
  directives: (value): value is Directives => isRecord(value),
  start: isLinePosition,
  end: isLinePosition,
  blockers: isListOf(isString),
  refusal: isOptional(isString),
  scope: isOptional(isScope),
});

/** The command behind a Send lens; its arguments are the document's URI and the request's position. */
export const SEND_COMMAND = 'parley.send';

/** The command behind the fix of a credential in a request; its arguments are the document's URI and a position in it. */
export const MOVE_CREDENTIAL_COMMAND = 'parley.moveCredential';
