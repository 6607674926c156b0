import type { LinePosition } from '../../../core/text/source-text.ts';
import { meetsSpan } from '../../../core/text/span.ts';
import { isRequestsInParams, REQUESTS_IN, type RequestsInParams } from '../../../wire/requests-in.ts';
import { toPosition, toSpan } from '../lsp.ts';
import { ownFeature } from './feature.ts';

/** The starts of the requests in a document or a range, in order, for sending a selection. */
export const requestsIn = ownFeature<RequestsInParams, readonly LinePosition[]>({
  name: 'requestsIn',
  method: REQUESTS_IN,
  isParams: isRequestsInParams,
  neutral: [],
  answer({ document }, { range }) {
    const within = range && toSpan(document, range);
    return document
      .requests()
      .filter(({ span }) => !within || meetsSpan(span, within))
      .map(({ span }) => toPosition(document, span.start));
  },
});
