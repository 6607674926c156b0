import { HoverRequest, type ClientCapabilities } from 'vscode-languageserver';
import type { Hover } from '../../../language/support.ts';
import { hoverVariable } from '../../../language/variables/editing.ts';
import { toOffset, toRange } from '../lsp.ts';
import { imageMarkdown, showsMarkdown, toMarkup } from '../markup.ts';
import { requestFeature } from './feature.ts';
import { hoverMedium } from './media-hover.ts';

/** Hover text at a position; null, as the protocol requires, if there is none. */
export const hover = requestFeature({
  name: 'hover',
  type: HoverRequest.type,
  capabilities: () => ({ hoverProvider: true }),
  neutral: null,
  answer({ document }, params, host) {
    const offset = toOffset(document, params.position);
    const pictures = showsPictures(host.client) ? 'shown' : 'not shown';
    const found =
      hoverVariable(document, offset, host.options().environment) ??
      hoverMedium(document, offset, pictures) ??
      document.hover(offset);
    if (!found) return null;
    const markdown = withPicture(found, host.client);
    const contents = toMarkup(markdown, host.client.textDocument?.hover?.contentFormat);
    return { contents, range: toRange(document, found.span) };
  },
});

/**
 * Adds the picture only for clients that name their Markdown parser; others may show Markdown as plain text,
 * including the picture's bytes.
 */
function withPicture({ markdown, draw }: Hover, client: ClientCapabilities): string {
  const picture = showsPictures(client) ? draw?.() : undefined;
  return picture ? `${markdown}\n\n${imageMarkdown(picture)}` : markdown;
}

function showsPictures({ general, textDocument }: ClientCapabilities): boolean {
  return general?.markdown !== undefined && showsMarkdown(textDocument?.hover?.contentFormat);
}
