import {
  DocumentHighlightKind,
  DocumentHighlightRequest,
  type DocumentHighlight,
} from 'vscode-languageserver';
import type { OpenDocument } from '../../../language/support.ts';
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
    if (!name) return markLetter(document, offset);
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

/**
 * A word of one letter at an offset, such as a type tag of AICL, is marked alone: editors would otherwise mark
 * this letter in the whole text. Other words are left to the editor.
 */
function markLetter(document: OpenDocument, offset: number): DocumentHighlight[] | null {
  const around = document.text.slice(Math.max(0, offset - 2), offset + 2);
  const at = Math.min(2, offset);
  for (const start of [at, at - 1]) {
    const isWord = WORD.test(around.charAt(start));
    if (!isWord || WORD.test(around.charAt(start - 1)) || WORD.test(around.charAt(start + 1))) continue;
    const span = { start: offset - at + start, end: offset - at + start + 1 };
    return [{ range: toRange(document, span), kind: DocumentHighlightKind.Text }];
  }
  return null;
}

const WORD = /[\p{L}\p{N}_.-]/u;
