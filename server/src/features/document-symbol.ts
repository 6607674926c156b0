import { DocumentSymbolRequest } from 'vscode-languageserver';
import { toDocumentSymbol, toSymbolInformation } from '../lsp.ts';
import { requestFeature } from './feature.ts';

/** The outline: a tree, or a flat list for clients without hierarchical support. */
export const documentSymbol = requestFeature({
  name: 'documentSymbol',
  type: DocumentSymbolRequest.type,
  capabilities: () => ({ documentSymbolProvider: true }),
  neutral: null,
  answer({ document, uri }, _params, host) {
    const symbols = document.symbols();
    return host.client.textDocument?.documentSymbol?.hierarchicalDocumentSymbolSupport === true
      ? symbols.map(symbol => toDocumentSymbol(document, symbol))
      : toSymbolInformation(document, uri, symbols);
  },
});
