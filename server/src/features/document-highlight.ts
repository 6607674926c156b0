import { DocumentHighlightKind, DocumentHighlightRequest } from 'vscode-languageserver';
import { toOffset, toRange } from '../lsp.ts';
import { requestFeature } from './feature.ts';

/**
 * The distance from the cursor, in characters, within which names are searched, because editors ask at every
 * move of the cursor.
 */
const REACH = 250_000;

/** The occurrences of the name at the cursor; in a large file only those around it. */
export const documentHighlight = requestFeature({
  name: 'documentHighlight',
  type: DocumentHighlightRequest.type,
  capabilities: () => ({ documentHighlightProvider: true }),
  neutral: null,
  answer({ document, uri }, params, host) {
    const offset = toOffset(document, params.position);
    const name = document.nameAt(offset);
    if (!name) return null;
    const around = {
      start: Math.max(0, offset - REACH),
      end: Math.min(document.text.length, offset + REACH),
    };
    if (around.end - around.start < document.text.length)
      host.reportOnce(uri, `names are marked up to ${REACH} characters from the cursor`);
    return [...document.findName(name, around)].map(({ span, role }) => ({
      range: toRange(document, span),
      kind: role === 'declares' ? DocumentHighlightKind.Write : DocumentHighlightKind.Read,
    }));
  },
});
