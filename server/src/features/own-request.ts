import type { CancellationToken } from 'vscode-languageserver';
import type { Snapshot } from '../documents.ts';
import { guardRequest } from '../guard.ts';
import type { Feature, FeatureHost } from './feature.ts';

interface OwnRequest<P, R> {
  readonly name: string;
  readonly method: string;
  readonly isParams: (params: unknown) => params is P;
  /** The answer for a document that is not ours or was closed, and after an error. */
  readonly neutral: R;
  readonly answer: (snapshot: Snapshot, params: P, host: FeatureHost) => R;
}

/** A feature that answers a request of our own client, which names the document by its URI alone. */
export function ownRequest<P extends { readonly uri: string }, R>(request: OwnRequest<P, R>): Feature {
  const { name, method, isParams, neutral, answer } = request;
  return {
    name,
    capabilities: () => ({}),
    register(host) {
      // By name: the typed overload cannot follow a result type that is still open here.
      host.connection.onRequest<unknown, void>(method, (params: unknown, token: CancellationToken) => {
        if (!isParams(params)) return neutral;
        const snapshot = host.documents.find(params.uri);
        if (!snapshot) return neutral;
        const work = { feature: name, uri: params.uri, version: snapshot.version };
        return guardRequest<R, void>(host, work, neutral, token, () =>
          host.documents.find(params.uri) ? answer(snapshot, params, host) : neutral,
        );
      });
    },
  };
}
