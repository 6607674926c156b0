import { DocumentLinkRequest } from 'vscode-languageserver';
import { toRange } from '../lsp.ts';
import { requestFeature } from './feature.ts';

/** Maximum number of links; all are computed again after each edit. */
const MAX_LINKS = 2_000;

/** Addresses in texts and fields, with escapes decoded. */
export const documentLink = requestFeature({
  name: 'documentLink',
  type: DocumentLinkRequest.type,
  capabilities: () => ({ documentLinkProvider: { resolveProvider: false } }),
  neutral: null,
  answer({ document, uri }, _params, host) {
    const { links, isCut } = document.links(MAX_LINKS);
    if (isCut) host.reportOnce(uri, `only the first ${MAX_LINKS} addresses are links`);
    return links.map(({ span, target }) => ({ range: toRange(document, span), target }));
  },
});
