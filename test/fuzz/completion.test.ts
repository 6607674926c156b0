import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { complete } from '../../language/aicl/features/completion.ts';
import { parseAicl } from '../../language/aicl/parse.ts';
import { DEFAULT_SETTINGS } from '../../core/catalog/settings.ts';
import { applyEdits } from '../../core/text/edit.ts';
import { plainOfSnippet } from '../../server/src/snippet.ts';
import { validValue } from '../support/aicl-arbitrary.ts';
import { share } from '../support/share.ts';
import { runs } from '../support/size.ts';

/** More runs by FUZZ_RUNS; a failure prints its seed and path. */
const RUNS = { numRuns: runs(500) };

describe('AICL completion in any message', () => {
  it('a message stays whole with each proposal, wherever it is accepted', () => {
    let accepted = 0;
    fc.assert(
      fc.property(validValue, fc.array(share, { maxLength: 20 }), (value, places) => {
        const text = `[d:\n  [s:msg_type]:[s:tool_call],\n  [s:params]:${value},\n\n  [s:stream_id]:[s:a_1/2]\n]`;
        const doc = parseAicl(text, DEFAULT_SETTINGS, () => []);
        // A text that seems to begin a message at the start of a line is read as one: it is another case.
        fc.pre(doc.units.count === 1 && doc.broken === 0);
        for (const offset of places.map(place => Math.round(place * text.length))) {
          for (const { span, newText, isSnippet, otherEdits } of complete(doc, offset)) {
            const plain = isSnippet ? plainOfSnippet(newText) : newText;
            const after = applyEdits(text, [...(otherEdits ?? []), { span, newText: plain }]);
            const { broken, units } = parseAicl(after, DEFAULT_SETTINGS, () => []);
            assert.deepEqual({ broken, count: units.count }, { broken: 0, count: 1 }, after);
            accepted++;
          }
        }
      }),
      RUNS,
    );
    assert.ok(accepted > 0);
  });
});
