import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { TraceModel } from '../../../../client/webviews/timeline/model.ts';
import { runAtOnce } from '../../../../core/text/slices.ts';
import { TokenCounts } from '../../../../client/webviews/timeline/graph/totals-tokens.ts';
import type { CallState } from '../../../../trace/fold/call-state.ts';

function call(id: string, more: Partial<CallState> = {}): CallState {
  return { id, agent: id, protocol: 'mcp', title: id, status: 'ok', at: 0, until: 1, bytesOut: 9, ...more };
}

/** A trace with the counts of its tokens, and what was asked for. */
function follow(...calls: readonly CallState[]): {
  readonly model: TraceModel;
  readonly counts: TokenCounts;
  readonly asked: (readonly [number, readonly string[]])[];
} {
  const model = new TraceModel();
  model.trace = 't';
  model.take(calls);
  const asked: (readonly [number, readonly string[]])[] = [];
  const counts = new TokenCounts((count, ids) => asked.push([count, ids]));
  runAtOnce(counts.followSteps(model));
  return { model, counts, asked };
}

const SUMS = { input: 1500, output: 1 };

const TOLD = { type: 'tokens', encoding: 'o200k_base', share: 1 } as const;

describe('counted tokens of the timeline', () => {
  it('are asked for when the user wants it, of calls without a report', () => {
    const { model, counts, asked } = follow(
      call('none'),
      call('half', { usage: { input: 3 } }),
      call('all', { usage: { input: 3, output: 4 } }),
      call('view', { isView: true, parent: 'none' }),
    );
    assert.deepEqual(asked, []);
    assert.deepEqual(
      [counts.describe(SUMS), counts.nameAction()],
      ['Agents did not report all tokens of 2 calls.', 'Count tokens'],
    );
    counts.toggle();
    assert.deepEqual([counts.describe(SUMS), counts.nameAction()], ['Counting tokens… 0 %', 'Stop']);
    const half = { call: 'half', tokens: { output: 6 } };
    assert.equal(counts.take({ ...TOLD, count: 1, share: 0.5, calls: [half] }), true);
    assert.equal(counts.describe(SUMS), 'Counting tokens… 50 %');
    const none = { call: 'none', tokens: { input: 8 }, uncounted: 'notKept' } as const;
    counts.take({ ...TOLD, count: 1, calls: [none] });
    runAtOnce(counts.followSteps(model));
    assert.deepEqual(
      [counts.describe(SUMS), counts.nameAction()],
      [
        'Counted by o200k_base: ≈ 1,500 tokens in, ≈ 1 token out. Not counted in full: 1 call, because messages are not recorded.',
        undefined,
      ],
    );
    const read = (id: string): unknown => {
      const found = model.find(id);
      return found && counts.of(found);
    };
    assert.deepEqual(['none', 'half', 'all'].map(read), [{ input: 8 }, { output: 6 }, undefined]);
    counts.toggle();
    assert.deepEqual(asked, [[1, ['none', 'half']]]);
  });

  it('are asked for again of calls that are new, or of which more came; a report takes their place', () => {
    const { model, counts, asked } = follow(call('a'), call('b'), call('c'));
    counts.toggle();
    const calls = ['a', 'b', 'c'].map(id => ({ call: id, tokens: { input: 2, output: 3 } }));
    counts.take({ ...TOLD, count: 1, calls });
    model.take([
      call('a', { bytesIn: 5 }),
      call('b', { usage: { input: 30 } }),
      call('c', { usage: { input: 30, output: 40 } }),
      call('d'),
    ]);
    runAtOnce(counts.followSteps(model));
    assert.deepEqual(
      [counts.describe(SUMS), counts.nameAction()],
      ['Counted by o200k_base: ≈ 1,500 tokens in, ≈ 1 token out.', 'Count 2 more'],
    );
    const read = (id: string): unknown => {
      const found = model.find(id);
      return found && counts.of(found);
    };
    assert.deepEqual(['a', 'b', 'c', 'd'].map(read), [
      { input: 2, output: 3 },
      { output: 3 },
      undefined,
      undefined,
    ]);
    counts.toggle();
    assert.deepEqual(asked.at(-1), [2, ['a', 'd']]);
    // Another encoding: the sums hold tokens of one alone.
    counts.take({ ...TOLD, count: 2, encoding: 'cl100k_base', calls: [{ call: 'a', tokens: { input: 1 } }] });
    runAtOnce(counts.followSteps(model));
    assert.deepEqual(['a', 'b'].map(read), [{ input: 1 }, undefined]);
    assert.deepEqual(
      [counts.describe(SUMS), counts.nameAction()],
      ['Counted by cl100k_base: ≈ 1,500 tokens in, ≈ 1 token out.', 'Count 2 more'],
    );
  });

  it('come no more once the count was ended, failed, or another trace is shown', () => {
    const { model, counts, asked } = follow(call('a'));
    counts.toggle();
    counts.toggle();
    assert.deepEqual(asked, [
      [1, ['a']],
      [2, []],
    ]);
    const late = { ...TOLD, calls: [{ call: 'a', tokens: { input: 2 } }] };
    assert.deepEqual(
      [counts.take({ ...late, count: 1 }), counts.take({ ...late, count: 2 })],
      [false, false],
    );
    counts.toggle();
    assert.equal(counts.take({ ...late, count: 1 }), false);
    counts.take({ ...TOLD, count: 3, calls: [], error: 'the server is gone' });
    assert.deepEqual(
      [counts.describe(SUMS), counts.nameAction()],
      ['Tokens were not counted to the end: the server is gone', 'Count tokens'],
    );
    counts.toggle();
    model.trace = 'u';
    runAtOnce(counts.followSteps(model));
    assert.equal(counts.take({ ...late, count: 4 }), false);
    assert.equal(counts.describe(SUMS), 'Agents did not report all tokens of 1 call.');
  });
});
