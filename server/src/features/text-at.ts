import { TEXT_AT } from '../../../wire/text-requests.ts';
import { toOffset, toRange } from '../lsp.ts';
import { ownFeature } from './feature.ts';

/** The text value of a message at a position. */
export const textAt = ownFeature({
  name: 'textAt',
  request: TEXT_AT,
  neutral: null,
  answer({ document, version }, { position }) {
    const found = document.textAt(toOffset(document, position));
    if (!found) return null;
    const { span, ...rest } = found;
    return { version, range: toRange(document, span), ...rest };
  },
});
