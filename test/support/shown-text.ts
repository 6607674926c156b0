import type { LanguageId } from '../../core/catalog/languages.ts';
import { DEFAULT_SETTINGS } from '../../core/catalog/settings.ts';
import { TOKEN_KINDS } from '../../core/catalog/token-kinds.ts';
import { LANGUAGE_SUPPORT } from '../../language/languages.ts';
import type { OpenDocument } from '../../language/support.ts';
import type { Span } from '../../core/text/span.ts';

export function openText(language: LanguageId, text: string): OpenDocument {
  return LANGUAGE_SUPPORT[language].open(text, DEFAULT_SETTINGS);
}

/** The coloured pieces of a document, as `text kind`, without line ends. */
export function colouredPieces(doc: OpenDocument, span?: Span): readonly string[] {
  const packed = doc.tokens(span ?? { start: 0, end: doc.text.length });
  return Array.from({ length: packed.length / 3 }, (_, index) => {
    const [start = 0, end = 0, kind = -1] = packed.slice(index * 3, index * 3 + 3);
    return `${doc.text.slice(start, end).replace(/\r?\n/g, '⏎')} ${TOKEN_KINDS[kind]?.name}`;
  });
}

/** A text with its hints in it, as `«label»`. */
export function textWithHints(doc: OpenDocument, span?: Span): string {
  let text = String(doc.text);
  const hints = doc.hints(span ?? { start: 0, end: text.length });
  for (const { offset, label } of hints.toReversed())
    text = `${text.slice(0, offset)}«${label}»${text.slice(offset)}`;
  return text;
}

/** The links of a text, as the source and, where it differs, what it leads to. */
export function linksIn(doc: OpenDocument, most = 100): readonly string[] {
  return doc.links(most).links.map(({ span, target }) => {
    const source = doc.text.slice(span.start, span.end);
    return source === target ? source : `${source} -> ${target}`;
  });
}
