import { HoverRequest } from 'vscode-languageserver';
import { toHover, toOffset } from '../lsp.ts';
import { requestFeature } from './feature.ts';

/** Help for the name under the pointer. */
export const hover = requestFeature({
  name: 'hover',
  type: HoverRequest.type,
  capabilities: () => ({ hoverProvider: true }),
  neutral: null,
  answer({ document }, params) {
    return toHover(document, document.hover(toOffset(document, params.position)));
  },
});
