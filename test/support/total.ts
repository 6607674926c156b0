import assert from 'node:assert/strict';
import type { OpenDocument } from '../../language/support.ts';
import type { OutlineSymbol } from '../../language/support.ts';
import type { Span } from '../../core/text/span.ts';

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
  for (const fold of doc.folds().folds) check(fold.span, 'fold');
  for (const link of doc.links(100).links) check(link.span, 'link');
  const whole = { start: 0, end: doc.text.length };
  for (const { offset: at } of doc.hints(whole)) check({ start: at, end: at }, 'hint');
  const tokens = doc.tokens(whole);
  for (let index = 0; index < tokens.length; index += 3) {
    const [start = 0, end = 0] = tokens.slice(index, index + 2);
    check({ start, end }, 'token');
    assert.ok(start < end && start >= (tokens[index - 2] ?? 0), 'tokens stand in their order');
  }
  for (const edit of doc.format()) check(edit.span, 'format');
  const options = { tabSize: 2, insertSpaces: true };
  for (const edit of doc.formatRange({ start: offset, end: offset }, options)) check(edit.span, 'range');
  for (const character of [']', ',', '\n'])
    for (const edit of doc.formatTyped(offset, character, options)) check(edit.span, 'typed');
  for (const { title, edits } of doc.rewrites({ start: offset, end: offset }, 10_000))
    for (const edit of edits) check(edit.span, title);
  for (const request of doc.requests()) {
    check(request.span, request.title);
    assert.notEqual(request.wireText, '');
  }
  for (const { name, span } of doc.landmarks()) check(span, name);
  for (const { name, span, nameSpan, replies } of doc.exchanges())
    for (const part of [span, nameSpan, ...replies]) check(part, name);
  for (const span of doc.selectionPath(offset)) check(span, 'selection');
  const name = doc.nameAt(offset);
  if (name) {
    const places = [...doc.findName(name)];
    for (const { span } of places) check(span, name.name);
    assert.ok(
      places.some(({ span }) => span.start === name.span.start && span.end === name.span.end),
      `'${name.name}' is found where it stands`,
    );
  }
  const hover = doc.hover(offset);
  if (hover) {
    check(hover.span, 'hover');
    assert.ok(hover.span.start <= offset && offset <= hover.span.end, 'the hover is where the cursor is');
  }
  for (const completion of doc.complete(offset)) {
    check(completion.span, completion.label);
    assert.equal(
      doc.text.lineAt(completion.span.start),
      doc.text.lineAt(completion.span.end),
      `${completion.label} replaces text within a line`,
    );
    assert.ok(
      completion.span.start <= offset && offset <= completion.span.end,
      `${completion.label} replaces where the cursor is`,
    );
    const { span, otherEdits, topic } = completion;
    for (const edit of otherEdits ?? []) {
      check(edit.span, completion.label);
      assert.ok(edit.span.end < span.start || span.end < edit.span.start, 'other edits lie elsewhere');
    }
    assert.ok(topic === undefined || doc.describe(topic) !== undefined, topic);
  }
  const signature = doc.signature(offset);
  for (const { span } of signature?.parameters ?? []) {
    assert.ok(0 <= span.start && span.start < span.end && span.end <= (signature?.label.length ?? 0));
  }
}
