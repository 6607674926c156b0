import { findDialect, type AicfDialect, type LanguageId } from '../core/catalog/languages.ts';
import type { LinePosition } from '../core/text/source-text.ts';
import type { Directives } from '../language/directives.ts';
import type { EnvironmentVariable, Scope } from '../language/variables/scope.ts';
import { asList } from '../core/text/fields.ts';
import type { Span } from '../core/text/span.ts';
import { isPartOf, isRecord, isShape, isString, type Guard } from '../core/guard.ts';
import type { WireRange } from './places.ts';
import { isDocumentPlace, type DocumentPlace, type WireRequest } from './request.ts';

/** The `initializationOptions` that the client sends when the server starts. */
export interface ServerOptions {
  /** True if the client has the command `parley.send` and may run it; the server then provides Send lenses. */
  readonly canSend: boolean;
  /** True if the client may run `parley.send` once the user trusts the folder; the Send lenses then say so. */
  readonly needsTrust: boolean;
  /** True if the client has the command `parley.inspectTensor`; the server then provides Inspect lenses. */
  readonly canInspect: boolean;
  /** True if the client has the command `parley.showMedia`; the server then provides lenses for images and files. */
  readonly canShowMedia: boolean;
  /** True if the client has the commands `parley.convert` and `parley.compareCost`, which lenses and actions run. */
  readonly canConvert: boolean;
  /** The names of the configured agents, for completion. */
  readonly agents: readonly string[];
  /** Files whose dialect the user selected, which overrides detection. */
  readonly dialects: readonly DialectChoice[];
  /** True if the client displays the dialect of a file; the server then sends `DIALECT_READ`. */
  readonly showsDialects: boolean;
  /** The variables of the environment with which requests are sent. */
  readonly environment: readonly EnvironmentVariable[];
  /** The names of the secrets that the client stores, for completion. */
  readonly secrets: readonly string[];
}

export interface DialectChoice {
  readonly uri: string;
  readonly dialect: AicfDialect;
}

/** Parses the options from a client. An unknown client gets no lenses for commands that it lacks. */
export function readServerOptions(value: unknown): ServerOptions {
  const options: Readonly<Record<string, unknown>> = isRecord(value) ? value : {};
  const { canSend, needsTrust, canInspect, canShowMedia, canConvert } = options;
  const { agents, dialects, showsDialects, environment, secrets } = options;
  return {
    canSend: canSend === true,
    needsTrust: needsTrust === true,
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

export const isDialectChoice: Guard<DialectChoice> = isShape({ uri: isString, dialect: isDialect });

/** Server to client, a notification: the dialect of a document, sent when it is opened and when the dialect changes. */
export const DIALECT_READ = 'parley/dialectRead';

export interface DialectReadParams {
  readonly uri: string;
  readonly dialect: AicfDialect;
  /** A sentence for the user that explains the choice. */
  readonly reason: string;
}

/** Client to server, a notification: the options changed, for example because the workspace is now trusted. */
export const OPTIONS_CHANGED = 'parley/optionsChanged';

/** An edit of a document, as in the LSP. */
export interface WireTextEdit {
  readonly range: WireRange;
  readonly newText: string;
}

export interface RequestAtResult {
  readonly language: LanguageId;
  readonly title: string;
  /** The version of the document that the result refers to. */
  readonly version: number;
  /** The text that is sent; absent if it is the text in the document, apart from white space in payloads. */
  readonly wireText?: string;
  /** The name of the protocol that it is written for; absent if it can be sent to agents of several. */
  readonly protocol?: string;
  /** The spans of tensor payloads in UTF-16 offsets: white space in them is not sent. */
  readonly payloads: readonly Span[];
  readonly directives: Directives;
  readonly start: LinePosition;
  readonly end: LinePosition;
  /** Errors in the message, as `line: message`. They prevent sending unless the user chooses to send anyway. */
  readonly blockers: readonly string[];
  /** The edits that fix errors which have one safe fix; absent if none has. */
  readonly fixes?: readonly WireTextEdit[];
  /** Why the request cannot be sent at all; absent if it can. */
  readonly refusal?: string;
  /**
   * The values that its variables can refer to, except environments;
   * absent if no variables are replaced in the request.
   */
  readonly scope?: Scope;
}

/** Describes the request at a position; null if there is none. The client reads its text itself. */
export const REQUEST_AT: WireRequest<DocumentPlace, RequestAtResult | null> = {
  method: 'parley/requestAt',
  isParams: isDocumentPlace,
};

/** The command of Send lenses. Its arguments are the document's URI and the position of the request. */
export const SEND_COMMAND = 'parley.send';

/** The command of the fix for a credential in a request. Its arguments are the document's URI and a position in it. */
export const MOVE_CREDENTIAL_COMMAND = 'parley.moveCredential';
