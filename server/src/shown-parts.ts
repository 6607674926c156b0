import type { OpenDocument } from '../../language/support.ts';
import type { Span } from '../../core/text/span.ts';

/** No editor shows more characters of a line; VS Code draws 10,000. */
export const LONGEST_LINE = 50_000;

/** The parts of a span that an editor can show: of a line that is too long only its beginning. */
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
