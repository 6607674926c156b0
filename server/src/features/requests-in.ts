import { RequestType } from 'vscode-languageserver';
import type { LinePosition } from '../../../core/text/line-index.ts';
import { meetsSpan } from '../../../core/text/span.ts';
import { isRequestsInParams, REQUESTS_IN } from '../../../wire/requests-in.ts';
import { guardRequest } from '../guard.ts';
import { toOffset, toPosition } from '../lsp.ts';
import type { Feature } from './feature.ts';

const TYPE = new RequestType<unknown, readonly LinePosition[], void>(REQUESTS_IN);

/** Where the requests of a document, or of a part of it, begin: those that a selection touches are sent in order. */
export const requestsIn: Feature = {
  name: 'requestsIn',
  capabilities: () => ({}),
  register(host) {
    host.connection.onRequest(TYPE, (params, token) => {
      if (!isRequestsInParams(params)) return [];
      const { uri, range } = params;
      const snapshot = host.documents.find(uri);
      if (!snapshot) return [];
      const work = { feature: 'requestsIn', uri, version: snapshot.version };
      return guardRequest<readonly LinePosition[], void>(host, work, [], token, () => {
        const { document } = snapshot;
        const within = range && {
          start: toOffset(document, range.start),
          end: toOffset(document, range.end),
        };
        return document
          .requests()
          .filter(({ span }) => !within || meetsSpan(span, within))
          .map(({ span }) => toPosition(document, span.start));
      });
    });
  },
};
