import {
  LSPErrorCodes,
  ResponseError,
  type CancellationToken,
  type ClientCapabilities,
  type Connection,
  type ProtocolRequestType,
  type ServerCapabilities,
  type TextDocumentIdentifier,
} from 'vscode-languageserver';
import type { ServerOptions } from '../../../wire/server-messages.ts';
import type { WorkspaceTools } from '../agent-tools.ts';
import type { Documents, Snapshot } from '../documents.ts';
import { guardRequest, type GuardHost } from '../guard.ts';
import type { TellOnce } from '../notices.ts';
import type { Workspace } from '../workspace.ts';

/** What a feature sees of the server. */
export interface FeatureHost extends GuardHost {
  readonly connection: Connection;
  readonly documents: Documents;
  /** Open documents and, where the server can read them, the files beside them. */
  readonly workspace: Workspace;
  /** What the files of the workspace say of each other's agents. */
  readonly workspaceTools: WorkspaceTools;
  readonly client: ClientCapabilities;
  options(): ServerOptions;
  /** Writes to the log what answers for a document leave out. */
  readonly tellOnce: TellOnce;
}

/**
 * What can change what a feature answered before: the settings, the options of the client, or what other files say of
 * an agent's tools.
 */
export type Change = 'settings' | 'options' | 'tools';

/** One thing that the server can do. The capabilities are computed from the list of features. */
export interface Feature {
  readonly name: string;
  readonly capabilities: (client: ClientCapabilities) => ServerCapabilities;
  readonly register: (host: FeatureHost) => void;
  /** Asks the client to ask again, where a change concerns the feature. */
  readonly refresh?: (host: FeatureHost, change: Change) => Promise<void>;
}

/** A result, or why there is none: a sentence for the user. */
type Answer<R, E> = R | ResponseError<E>;

/** A feature that answers one request about one document. */
export interface RequestFeature<P, R, PR, E, RO> {
  readonly name: string;
  readonly type: ProtocolRequestType<P, R, PR, E, RO>;
  readonly capabilities: (client: ClientCapabilities) => ServerCapabilities;
  /** The answer for a document that is not ours or was closed, and after an error. */
  readonly neutral: R;
  readonly answer: (snapshot: Snapshot, params: P, host: FeatureHost) => Answer<R, E> | Promise<Answer<R, E>>;
  /**
   * The answer where an edit overtook the request, for a feature whose answer is of no use then. Without it the version
   * of the request is answered about: a client can still show most things at their old places.
   */
  readonly stale?: (name: string) => ResponseError<E>;
  readonly refresh?: (host: FeatureHost, change: Change) => Promise<void>;
}

/** What a feature says that answers with edits: they would fall into a text that is no longer there. */
export function contentModified<E>(name: string): ResponseError<E> {
  return new ResponseError<E>(LSPErrorCodes.ContentModified, `${name}: the document was edited meanwhile`);
}

/**
 * Binds a request to the document as it stood when the request arrived: positions in it mean that version, also
 * when an edit overtakes it. A document that was closed meanwhile gets the neutral answer.
 */
export function requestFeature<P extends { readonly textDocument: TextDocumentIdentifier }, R, PR, E, RO>(
  parts: RequestFeature<P, R, PR, E, RO>,
): Feature {
  const { name, type, neutral, capabilities, stale, refresh } = parts;
  return {
    name,
    capabilities,
    ...(refresh ? { refresh } : {}),
    register(host) {
      // By name: the typed overload cannot follow a result type that is still open here.
      host.connection.onRequest<unknown, E>(type.method, (params: P, token: CancellationToken) => {
        const uri = params.textDocument.uri;
        const snapshot = host.documents.find(uri);
        if (!snapshot) return neutral;
        const work = { feature: name, uri, version: snapshot.version };
        return guardRequest<Answer<R, E>, E>(host, work, neutral, token, async () => {
          const isStale = (): boolean => host.documents.find(uri)?.version !== snapshot.version;
          if (!host.documents.find(uri)) return neutral;
          if (stale && isStale()) return stale(name);
          const answer = await parts.answer(snapshot, params, host);
          return stale && isStale() ? stale(name) : answer;
        });
      });
    },
  };
}

/** A feature that answers a request of our own client about one document, which it names by its URI alone. */
interface OwnRequest<P, R> {
  readonly name: string;
  readonly method: string;
  readonly isParams: (params: unknown) => params is P;
  /** The answer for a document that is not ours or was closed, and after an error. */
  readonly neutral: R;
  readonly answer: (
    snapshot: Snapshot,
    params: P,
    host: FeatureHost,
    token: CancellationToken,
  ) => R | Promise<R>;
}

/** Binds a request of our own client to the document as it stood when the request arrived. */
export function ownFeature<P extends { readonly uri: string }, R>(request: OwnRequest<P, R>): Feature {
  const { name, method, isParams, neutral, answer } = request;
  return {
    name,
    capabilities: () => ({}),
    register(host) {
      // By name: the typed overload cannot follow a result type that is still open here.
      host.connection.onRequest<unknown, void>(method, (params: unknown, token: CancellationToken) => {
        const snapshot = isParams(params) ? host.documents.find(params.uri) : undefined;
        if (!isParams(params) || !snapshot) return neutral;
        const work = { feature: name, uri: params.uri, version: snapshot.version };
        return guardRequest<R, void>(host, work, neutral, token, () =>
          host.documents.find(params.uri) ? answer(snapshot, params, host, token) : neutral,
        );
      });
    },
  };
}
