import { HoverRequest } from 'vscode-languageserver';
import { toOffset, toRange } from '../lsp.ts';
import { toMarkup } from '../markup.ts';
import { requestFeature } from './feature.ts';

/** Help for the thing under the pointer; null, as the protocol wants it, where there is nothing to say. */
export const hover = requestFeature({
  name: 'hover',
  type: HoverRequest.type,
  capabilities: () => ({ hoverProvider: true }),
  neutral: null,
  answer({ document }, params, host) {
    const found = document.hover(toOffset(document, params.position));
    if (!found) return null;
    const contents = toMarkup(found.markdown, host.client.textDocument?.hover?.contentFormat);
    return { contents, range: toRange(document, found.span) };
  },
});
