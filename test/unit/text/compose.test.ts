import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { EditHistory } from '../../../server/src/compose.ts';
import { applyEdits, type TextEdit } from '../../../core/text/edit.ts';
import { runs } from '../../support/size.ts';

/** Edits of a text from pairs of numbers, in order and apart from one another. */
function toEdits(text: string, places: readonly (readonly [number, string])[]): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  let at = 0;
  for (const [step, newText] of places) {
    const start = at + (step % 5);
    const end = start + (step % 3);
    if (end > text.length) break;
    edits.push({ span: { start, end }, newText });
    at = end + 1;
  }
  return edits;
}

describe('rounds of edits', () => {
  it('are one round of edits of the first text, whatever they are', () => {
    const round = fc.array(fc.tuple(fc.nat(20), fc.string({ maxLength: 3 })), { maxLength: 4 });
    fc.assert(
      fc.property(fc.string({ maxLength: 20 }), fc.array(round, { maxLength: 4 }), (source, rounds) => {
        const history = new EditHistory(source.length);
        let text = source;
        for (const places of rounds) {
          const edits = toEdits(text, places);
          history.add(edits);
          text = applyEdits(text, edits);
        }
        assert.equal(applyEdits(source, history.edits), text);
      }),
      { numRuns: runs(2000) },
    );
  });

  it('leave what no round touched', () => {
    const history = new EditHistory(10);
    history.add([{ span: { start: 2, end: 4 }, newText: 'abc' }]);
    history.add([
      { span: { start: 3, end: 4 }, newText: 'X' },
      { span: { start: 9, end: 9 }, newText: '!' },
    ]);
    assert.deepEqual(history.edits, [
      { span: { start: 2, end: 4 }, newText: 'aXc' },
      { span: { start: 8, end: 8 }, newText: '!' },
    ]);
  });

  it('are none without an edit', () => assert.deepEqual(new EditHistory(3).edits, []));
});
