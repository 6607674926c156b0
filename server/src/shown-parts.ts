import type { OpenDocument } from '../../language/support.ts';
import type { Span } from '../../core/text/span.ts';

/** Maximum number of characters of a line that any editor shows; VS Code draws 10,000. */
export const LONGEST_LINE = 50_000;

/** The visible parts of a span: of an overlong line only its start. */
export function* shownParts({ text }: OpenDocument, { start, end }: Span): Generator<Span> {
  let from = start;
  for (let line = text.lineAt(start); line < text.lineCount; line++) {
    const lineStart = text.lineStart(line);
    if (lineStart >= end) break;
    const next = line + 1 < text.lineCount ? text.lineStart(line + 1) : end;
    const cut = lineStart + LONGEST_LINE;
    if (next <= cut) continue;
    if (from < cut) yield { start: from, end: Math.min(end, cut) };
    from = Math.max(from, next);
  }
  if (from < end || start === end) yield { start: from, end };
}
