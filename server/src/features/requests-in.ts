import { meetsSpan } from '../../../core/text/span.ts';
import { REQUESTS_IN } from '../../../wire/requests-in.ts';
import { toPosition, toSpan } from '../lsp.ts';
import { ownFeature } from './feature.ts';

/** The starts of the requests in a document or a range, in order, for sending a selection. */
export const requestsIn = ownFeature({
  name: 'requestsIn',
  request: REQUESTS_IN,
  neutral: [],
  answer({ document }, { range }) {
    const within = range && toSpan(document, range);
    return document
      .requests()
      .filter(({ span }) => !within || meetsSpan(span, within))
      .map(({ span }) => toPosition(document, span.start));
  },
});
