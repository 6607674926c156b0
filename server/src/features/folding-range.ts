import { FoldingRangeRequest } from 'vscode-languageserver';
import { toFoldingRange } from '../lsp.ts';
import { requestFeature } from './feature.ts';

/** Folds, at most as many as the client says that it can show. */
export const foldingRange = requestFeature({
  name: 'foldingRange',
  type: FoldingRangeRequest.type,
  capabilities: () => ({ foldingRangeProvider: true }),
  neutral: null,
  answer({ document }, _params, host) {
    const limit = host.client.textDocument?.foldingRange?.rangeLimit ?? Infinity;
    const ranges = document
      .folds()
      .map(fold => toFoldingRange(document, fold))
      .filter(range => range !== undefined);
    return ranges.length > limit ? ranges.slice(0, limit) : ranges;
  },
});
