import type { Range } from 'vscode-languageserver';
import type { SourceText } from '../../../protocol/src/text/source-text.ts';
import type { Span } from '../../../protocol/src/text/span.ts';

/** A span of any text as an editor counts it: `lsp.ts` does the same for documents. */
export function rangeIn(text: SourceText, { start, end }: Span): Range {
  return { start: text.toPosition(start), end: text.toPosition(end) };
}

export function spanIn(text: SourceText, { start, end }: Range): Span {
  return { start: text.toOffset(start), end: text.toOffset(end) };
}
