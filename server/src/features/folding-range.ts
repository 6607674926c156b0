import { FoldingRangeRefreshRequest, FoldingRangeRequest } from 'vscode-languageserver';
import { toFoldingRange } from '../lsp.ts';
import { requestFeature } from './feature.ts';

/** What VS Code shows, and takes for enough, of any language. */
const MOST_FOLDS = 5_000;

/** Folds, at most as many as the client says that it can show. */
export const foldingRange = requestFeature({
  name: 'foldingRange',
  type: FoldingRangeRequest.type,
  capabilities: () => ({ foldingRangeProvider: true }),
  neutral: null,
  answer({ document, uri }, _params, host) {
    const asked = host.client.textDocument?.foldingRange?.rangeLimit;
    const most = asked !== undefined && asked > 0 ? asked : MOST_FOLDS;
    const { folds, isCut } = document.folds(most);
    if (isCut) host.tellOnce(uri, `only the first ${folds.length} parts that fold can be folded`);
    return folds.map(fold => toFoldingRange(document, fold)).filter(range => range !== undefined);
  },
  async refresh(host, change) {
    if (change !== 'settings' || host.client.workspace?.foldingRange?.refreshSupport !== true) return;
    await host.connection.sendRequest(FoldingRangeRefreshRequest.type);
  },
});
