import { SelectionRangeRequest, type SelectionRange } from 'vscode-languageserver';
import type { OpenDocument } from '../../../language/support.ts';
import type { Span } from '../../../core/text/span.ts';
import { toOffset, toRange } from '../lsp.ts';
import { requestFeature } from './feature.ts';

/** The ranges of an expanding selection, for each cursor. */
export const selectionRange = requestFeature({
  name: 'selectionRange',
  type: SelectionRangeRequest.type,
  capabilities: () => ({ selectionRangeProvider: true }),
  neutral: null,
  answer({ document }, params) {
    return params.positions.map(position =>
      toSelectionRange(document, document.selectionPath(toOffset(document, position)), position),
    );
  },
});

/** Each range links to the next larger one as its parent. */
function toSelectionRange(
  document: OpenDocument,
  path: readonly Span[],
  position: SelectionRange['range']['start'],
): SelectionRange {
  let outer: SelectionRange | undefined;
  for (const span of path.toReversed())
    outer = { range: toRange(document, span), ...(outer && { parent: outer }) };
  return outer ?? { range: { start: position, end: position } };
}
