import { DocumentLinkRequest } from 'vscode-languageserver';
import { toRange } from '../lsp.ts';
import { requestFeature } from './feature.ts';

/** More addresses than a reader opens; each is placed anew after a key. */
const MOST_LINKS = 2_000;

/** Addresses in texts and fields, with what they mean without the escapes around them. */
export const documentLink = requestFeature({
  name: 'documentLink',
  type: DocumentLinkRequest.type,
  capabilities: () => ({ documentLinkProvider: { resolveProvider: false } }),
  neutral: null,
  answer({ document, uri }, _params, host) {
    const { links, isCut } = document.links(MOST_LINKS);
    if (isCut) host.tellOnce(uri, `only the first ${MOST_LINKS} addresses are links`);
    return links.map(({ span, target }) => ({ range: toRange(document, span), target }));
  },
});
