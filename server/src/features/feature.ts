import type {
  CancellationToken,
  ClientCapabilities,
  Connection,
  ProtocolRequestType,
  ServerCapabilities,
  TextDocumentIdentifier,
} from 'vscode-languageserver';
import type { ServerOptions } from '../../../protocol/src/wire/server-messages.ts';
import type { Documents, Snapshot } from '../documents.ts';
import { guardRequest, type GuardHost } from '../guard.ts';

/** What a feature sees of the server. */
export interface FeatureHost extends GuardHost {
  readonly connection: Connection;
  readonly documents: Documents;
  readonly client: ClientCapabilities;
  options(): ServerOptions;
}

/** What can change what a feature answered before: the settings, or the options of the client. */
export type Change = 'settings' | 'options';

/** One thing that the server can do. The capabilities are computed from the list of features. */
export interface Feature {
  readonly name: string;
  readonly capabilities: (client: ClientCapabilities) => ServerCapabilities;
  readonly register: (host: FeatureHost) => void;
  /** Asks the client to ask again, where a change concerns the feature. */
  readonly refresh?: (host: FeatureHost, change: Change) => Promise<void>;
}

/** A feature that answers one request about one document. */
export interface RequestFeature<P, R, PR, E, RO> {
  readonly name: string;
  readonly type: ProtocolRequestType<P, R, PR, E, RO>;
  readonly capabilities: (client: ClientCapabilities) => ServerCapabilities;
  /** The answer for a document that is not ours or was closed, and after an error. */
  readonly neutral: R;
  readonly answer: (snapshot: Snapshot, params: P, host: FeatureHost) => R;
  readonly refresh?: (host: FeatureHost, change: Change) => Promise<void>;
}

/**
 * Binds a request to the document as it stood when the request arrived: positions in it mean that version, also
 * when an edit overtakes it. A document that was closed meanwhile gets the neutral answer.
 */
export function requestFeature<P extends { readonly textDocument: TextDocumentIdentifier }, R, PR, E, RO>(
  parts: RequestFeature<P, R, PR, E, RO>,
): Feature {
  const { name, type, neutral, capabilities, refresh } = parts;
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
        return guardRequest<R, E>(host, work, neutral, token, () =>
          host.documents.find(uri) ? parts.answer(snapshot, params, host) : neutral,
        );
      });
    },
  };
}
