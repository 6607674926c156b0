import assert from 'node:assert/strict';
import type { OpenDocument } from '../../protocol/src/language/support.ts';
import type { OutlineSymbol } from '../../protocol/src/language/support.ts';
import type { Span } from '../../protocol/src/text/span.ts';

/** Asks a document everything and holds each span that it answers to the text; children lie in their parents. */
export function checkSpans(doc: OpenDocument, offset: number): void {
  const check = (span: Span, what: string): void => {
    const isInside =
      Number.isInteger(span.start) &&
      Number.isInteger(span.end) &&
      0 <= span.start &&
      span.start <= span.end &&
      span.end <= doc.text.length;
    assert.ok(isInside, `${what} ${span.start}-${span.end} of ${doc.text.length}`);
  };
  for (const issue of doc.validate()) {
    check(issue.span, issue.code);
    assert.notEqual(issue.message, '');
    for (const fix of issue.fixes ?? []) for (const edit of fix.edits) check(edit.span, fix.title);
  }
  const checkSymbol = (symbol: OutlineSymbol): void => {
    check(symbol.span, symbol.name);
    assert.ok(
      symbol.span.start <= symbol.nameSpan.start && symbol.nameSpan.end <= symbol.span.end,
      symbol.name,
    );
    for (const child of symbol.children) {
      assert.ok(symbol.span.start <= child.span.start && child.span.end <= symbol.span.end, child.name);
      checkSymbol(child);
    }
  };
  doc.symbols().forEach(checkSymbol);
  for (const fold of doc.folds()) check(fold.span, 'fold');
  for (const edit of doc.format()) check(edit.span, 'format');
  for (const request of doc.requests()) {
    check(request.span, request.title);
    assert.notEqual(request.wireText, '');
  }
  const hover = doc.hover(offset);
  if (hover) {
    check(hover.span, 'hover');
    assert.ok(hover.span.start <= offset && offset <= hover.span.end, 'the hover is where the cursor is');
  }
  for (const completion of doc.complete(offset)) {
    check(completion.span, completion.label);
    assert.ok(
      completion.span.start <= offset && offset <= completion.span.end,
      `${completion.label} replaces where the cursor is`,
    );
  }
}
