import { isTextAtParams, TEXT_AT, type TextAnswer, type TextAtParams } from '../../../wire/text-requests.ts';
import { toOffset, toRange } from '../lsp.ts';
import { ownFeature } from './feature.ts';

/** The text value of a message at a position. */
export const textAt = ownFeature<TextAtParams, TextAnswer | null>({
  name: 'textAt',
  method: TEXT_AT,
  isParams: isTextAtParams,
  neutral: null,
  answer({ document, version }, { position }) {
    const found = document.textAt(toOffset(document, position));
    if (!found) return null;
    const { span, ...rest } = found;
    return { version, range: toRange(document, span), ...rest };
  },
});
