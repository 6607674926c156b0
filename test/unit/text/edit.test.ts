import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { applyEdits, EditList, type TextEdit } from '../../../core/text/edit.ts';

/** Edits of a text that do not overlap, in the order of their places. */
const anyEdits = fc.array(fc.tuple(fc.nat(5), fc.nat(5), fc.string())).map(parts => {
  let at = 0;
  return parts.map(([skipped, replaced, newText]): TextEdit => {
    const start = at + skipped;
    at = start + replaced;
    return { span: { start, end: at }, newText };
  });
});

function replaceEach(text: string, edits: readonly TextEdit[]): string {
  return edits.reduceRight(
    (done, { span, newText }) => done.slice(0, span.start) + newText + done.slice(span.end),
    text,
  );
}

describe('edits', () => {
  it('are the same in a list of their own as in an array', () => {
    fc.assert(
      fc.property(anyEdits, edits => {
        const list = new EditList();
        for (const edit of edits) list.push(edit);
        assert.equal(list.length, edits.length);
        assert.deepEqual([...list], edits);
      }),
    );
  });

  it('replace their spans, in whatever order they come', () => {
    fc.assert(
      fc.property(anyEdits, edits => {
        const text = 'abcdefghij'.repeat(1 + edits.length);
        const expected = replaceEach(text, edits);
        assert.equal(applyEdits(text, edits), expected);
        const isApart = edits.every(({ span }, index) => (edits[index - 1]?.span.start ?? -1) < span.start);
        if (isApart) assert.equal(applyEdits(text, edits.toReversed()), expected);
      }),
    );
  });

  it('must not overlap', () => {
    const edits = [
      { span: { start: 0, end: 3 }, newText: 'a' },
      { span: { start: 2, end: 4 }, newText: 'b' },
    ];
    assert.throws(() => applyEdits('01234', edits), /edits overlap at offset 2/);
  });
});
