import { FoldingRangeRefreshRequest, FoldingRangeRequest } from 'vscode-languageserver';
import { toFoldingRange } from '../lsp.ts';
import { requestFeature } from './feature.ts';

/** The limit of VS Code for any language. */
const MAX_FOLDS = 5_000;

/** Folding ranges, at most as many as the client can show. */
export const foldingRange = requestFeature({
  name: 'foldingRange',
  type: FoldingRangeRequest.type,
  capabilities: () => ({ foldingRangeProvider: true }),
  neutral: null,
  answer({ document, uri }, _params, host) {
    const requested = host.client.textDocument?.foldingRange?.rangeLimit;
    const most = requested !== undefined && requested > 0 ? requested : MAX_FOLDS;
    const { folds, isCut } = document.folds(most);
    if (isCut) host.reportOnce(uri, `only the first ${folds.length} parts that fold can be folded`);
    return folds.map(fold => toFoldingRange(document, fold)).filter(range => range !== undefined);
  },
  async refresh(host, change) {
    if (change !== 'settings' || host.client.workspace?.foldingRange?.refreshSupport !== true) return;
    await host.connection.sendRequest(FoldingRangeRefreshRequest.type);
  },
});
