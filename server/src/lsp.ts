import {
  FoldingRangeKind,
  SymbolKind as LspSymbolKind,
  type DocumentSymbol,
  type FoldingRange,
  type Position,
  type Range,
  type SymbolInformation,
  type TextDocumentContentChangeEvent,
  type TextEdit as LspTextEdit,
} from 'vscode-languageserver';
import type { Fold } from '../../language/feature-results.ts';
import type { OutlineSymbol, SymbolKind } from '../../language/support.ts';
import type { TextEdit } from '../../core/text/edit.ts';
import type { SourceText } from '../../core/text/source-text.ts';
import type { Span } from '../../core/text/span.ts';

/**
 * Conversions between the core's offsets and the lines of the language server protocol; no other module knows
 * both. Characters are UTF-16 code units on both sides.
 */
const SYMBOL_KIND: Readonly<Record<SymbolKind, LspSymbolKind>> = {
  message: LspSymbolKind.Struct,
  call: LspSymbolKind.Function,
  reply: LspSymbolKind.Event,
  field: LspSymbolKind.Field,
  section: LspSymbolKind.Namespace,
  error: LspSymbolKind.Event,
};

const FOLD_KIND: Readonly<Record<Fold['kind'], FoldingRangeKind>> = {
  region: FoldingRangeKind.Region,
  comment: FoldingRangeKind.Comment,
};

/** A document, or anything else with a text that an editor shows. */
export interface Shown {
  readonly text: SourceText;
}

/** Converts a position to an offset; a character past the end of its line is the end of that line. */
export function toOffset(doc: Shown, position: Position): number {
  return doc.text.toOffset(position);
}

/** Converts a change to a text edit; a change without a range replaces the whole text. */
export function toTextEdit(doc: Shown, change: TextDocumentContentChangeEvent): TextEdit {
  const span = 'range' in change ? toSpan(doc, change.range) : { start: 0, end: doc.text.length };
  return { span, newText: change.text };
}

export function toPosition(doc: Shown, offset: number): Position {
  return doc.text.toPosition(offset);
}

export function toRange(doc: Shown, span: Span): Range {
  return { start: toPosition(doc, span.start), end: toPosition(doc, span.end) };
}

export function toSpan(doc: Shown, range: Range): Span {
  return { start: toOffset(doc, range.start), end: toOffset(doc, range.end) };
}

export function toTextEdits(doc: Shown, edits: Iterable<TextEdit>): LspTextEdit[] {
  return Array.from(edits, edit => ({ range: toRange(doc, edit.span), newText: edit.newText }));
}

export function toDocumentSymbol(doc: Shown, symbol: OutlineSymbol): DocumentSymbol {
  return {
    name: shownName(symbol),
    detail: symbol.detail,
    kind: SYMBOL_KIND[symbol.kind],
    range: toRange(doc, symbol.span),
    selectionRange: toRange(doc, symbol.nameSpan),
    children: symbol.children.map(child => toDocumentSymbol(doc, child)),
  };
}

/** Flattens the outline for clients without hierarchical support. */
export function toSymbolInformation(
  doc: Shown,
  uri: string,
  symbols: readonly OutlineSymbol[],
  container?: string,
): SymbolInformation[] {
  return symbols.flatMap(symbol => [
    {
      name: shownName(symbol),
      kind: SYMBOL_KIND[symbol.kind],
      location: { uri, range: toRange(doc, symbol.span) },
      ...(container === undefined ? {} : { containerName: container }),
    },
    ...toSymbolInformation(doc, uri, symbol.children, shownName(symbol)),
  ]);
}

/** Editors reject symbols without a name, which incomplete text may have. */
function shownName(symbol: OutlineSymbol): string {
  return symbol.name.trim() === '' ? `(${symbol.kind})` : symbol.name;
}

/** Undefined for a range within one line, which cannot fold. */
export function toFoldingRange(doc: Shown, fold: Fold): FoldingRange | undefined {
  const startLine = doc.text.lineAt(fold.span.start);
  const endLine = doc.text.lineAt(fold.span.end);
  return endLine > startLine ? { startLine, endLine, kind: FOLD_KIND[fold.kind] } : undefined;
}
