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
import type { WireRequest } from '../../../wire/request.ts';
import type { WorkspaceTools } from '../agent-tools.ts';
import type { Documents, Snapshot } from '../documents.ts';
import { guardRequest, type GuardHost } from '../guard.ts';
import type { ReportOnce } from '../notices.ts';
import type { Workspace } from '../workspace.ts';

/** The parts of the server that features use. */
export interface FeatureHost extends GuardHost {
  readonly connection: Connection;
  readonly documents: Documents;
  /** Open documents and, if the server can read them, other files of the workspace. */
  readonly workspace: Workspace;
  /** The tool declarations of agents in the files of the workspace. */
  readonly workspaceTools: WorkspaceTools;
  readonly client: ClientCapabilities;
  options(): ServerOptions;
  /** Logs, once per document, what results leave out. */
  readonly reportOnce: ReportOnce;
}

/**
 * A change that may invalidate earlier results: of the settings, of the client's options, or of an agent's
 * tools in other files.
 */
export type Change = 'settings' | 'options' | 'tools';

/** One function of the server. The server's capabilities are computed from the list of features. */
export interface Feature {
  readonly name: string;
  readonly capabilities: (client: ClientCapabilities) => ServerCapabilities;
  readonly register: (host: FeatureHost) => void;
  /** Asks the client to request again, if the change concerns the feature. */
  readonly refresh?: (host: FeatureHost, change: Change) => Promise<void>;
}

/** A result, or an error with a sentence for the user. */
type Answer<R, E> = R | ResponseError<E>;

/** A feature that responds to one request about one document. */
export interface RequestFeature<P, R, PR, E, RO> {
  readonly name: string;
  readonly type: ProtocolRequestType<P, R, PR, E, RO>;
  readonly capabilities: (client: ClientCapabilities) => ServerCapabilities;
  /** The result for a document that is closed or in another language, and after an error. */
  readonly neutral: R;
  readonly answer: (snapshot: Snapshot, params: P, host: FeatureHost) => Answer<R, E> | Promise<Answer<R, E>>;
  /**
   * The result if an edit overtook the request, for features whose results are useless then. Without this
   * member the result refers to the requested version, which clients can usually still display.
   */
  readonly stale?: (name: string) => ResponseError<E>;
  readonly refresh?: (host: FeatureHost, change: Change) => Promise<void>;
}

/** The stale result of features that return edits, which must not be applied to a changed text. */
export function contentModified<E>(name: string): ResponseError<E> {
  return new ResponseError<E>(LSPErrorCodes.ContentModified, `${name}: the document was edited meanwhile`);
}

/**
 * Binds a request to the document at the time of its arrival, because its positions refer to that version
 * even if an edit overtakes it. If the document has been closed, the result is `neutral`.
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
      // Registered by name, because the typed overload does not support generic result types.
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

/** A feature that responds to a request of our own client about one document, identified by its URI. */
interface OwnRequest<P, R> {
  readonly name: string;
  readonly request: WireRequest<P, R>;
  /** The result for a document that is closed or in another language, and after an error. */
  readonly neutral: R;
  readonly answer: (
    snapshot: Snapshot,
    params: P,
    host: FeatureHost,
    token: CancellationToken,
  ) => R | Promise<R>;
}

/** Binds a request of our own client to the document at the time of its arrival. */
export function ownFeature<P extends { readonly uri: string }, R>(feature: OwnRequest<P, R>): Feature {
  const { name, neutral, answer } = feature;
  const { method, isParams } = feature.request;
  return {
    name,
    capabilities: () => ({}),
    register(host) {
      // Registered by name, because the typed overload does not support generic result types.
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
