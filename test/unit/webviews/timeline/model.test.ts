import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { TraceModel, type TraceCall } from '../../../../client/webviews/timeline/model.ts';
import { RowList } from '../../../../client/webviews/timeline/waterfall/row-list.ts';
import type { CallState } from '../../../../trace/fold/call-state.ts';
import { sized } from '../../../support/size.ts';

function state(id: string, at: number, parent?: string, more: Partial<CallState> = {}): CallState {
  const above = parent === undefined ? {} : { parent };
  return { id, agent: 'a', protocol: 'mcp', title: id, status: 'ok', at, until: at + 10, ...above, ...more };
}

/** A tree in one line: `a(b(c) d)`. */
function outline(calls: readonly TraceCall[]): string {
  return calls
    .map(({ state: { id }, children }) => (children.length > 0 ? `${id}(${outline(children)})` : id))
    .join(' ');
}

const modelOf = (...states: readonly CallState[]): TraceModel => {
  const model = new TraceModel();
  model.take(states);
  return model;
};

const ids = (calls: Iterable<TraceCall>): readonly string[] => [...calls].map(call => call.state.id).sort();

describe('the model of the timeline', () => {
  it('makes the same tree whatever the order of the calls', () => {
    const states = [
      state('a', 0),
      state('b', 1, 'a'),
      state('c', 2, 'b'),
      state('d', 2, 'b'),
      state('e', 0.5, 'a'),
      state('f', 0),
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(states, { minLength: states.length }), fc.nat(5), (shuffled, cut) => {
        const model = modelOf(...shuffled.slice(0, cut));
        model.take(shuffled.slice(cut));
        assert.equal(outline(model.roots), 'a(e b(c d)) f');
      }),
    );
  });

  it('keeps one object a call, and tells which ones changed', () => {
    const model = modelOf(state('a', 0), state('b', 1, 'a'));
    const b = model.find('b');
    assert.deepEqual(ids(model.take([state('b', 1, 'a', { until: 50 })])), ['b']);
    assert.deepEqual([model.find('b') === b, b?.state.until, model.end], [true, 50, 50]);
    assert.deepEqual(ids(model.take([state('b', 1)])), ['b']);
    assert.equal(outline(model.roots), 'a b');
  });

  it('counts changes of the tree and no others', () => {
    const model = modelOf(state('a', 0), state('b', 1, 'a'));
    const { shape } = model;
    model.take([state('a', 0, undefined, { title: 'other' })]);
    assert.equal(model.shape, shape);
    model.take([], ['b']);
    assert.notEqual(model.shape, shape);
  });

  it('leaves calls at the top whose parent went, until it comes again', () => {
    const model = modelOf(state('a', 0), state('b', 1, 'a'), state('c', 2, 'b'));
    assert.deepEqual(ids(model.take([], ['b'])), ['b', 'c']);
    assert.equal(outline(model.roots), 'a c');
    model.take([state('b', 1, 'a')]);
    assert.equal(outline(model.roots), 'a(b(c))');
  });

  it('never makes a cycle of calls that arrive in parts', () => {
    const model = modelOf(state('a', 0), state('b', 1, 'a'), state('c', 2, 'b'));
    model.take([state('a', 0, 'c')]);
    assert.equal(outline(model.roots), 'a(b(c))');
    model.take([state('b', 1)]);
    assert.equal(outline(model.roots), 'b(c(a))');
  });

  it('measures the time from the first call to the last thing known, and to now while calls run', () => {
    const model = modelOf(state('a', 5), { ...state('b', 7, 'a', { last: 40 }), status: 'open' });
    model.take([{ id: 'open', agent: 'a', protocol: 'mcp', title: 'open', status: 'open', at: 8 }]);
    const open = model.find('open');
    assert.deepEqual([model.start, model.end, model.open], [5, 17, 1]);
    model.now = 90;
    assert.deepEqual([model.end, open && model.endOf(open)], [90, 90]);
    model.take([state('open', 8)], ['a']);
    assert.deepEqual([model.start, model.end, model.open], [7, 18, 0]);
    model.clear();
    assert.deepEqual([model.start, model.end, model.size, outline(model.roots)], [0, 0, 0, '']);
  });

  it('lists rows without those that are folded away', () => {
    const model = modelOf(state('a', 0), state('b', 1, 'a'), state('c', 2, 'b'), state('d', 3, 'a'));
    const list = new RowList(() => undefined);
    const rows = (): readonly string[] => {
      list.list(model);
      return Array.from({ length: list.length }, (_, at) => {
        const row = list.at(at);
        return `${row?.level} ${row?.call.state.id}`;
      });
    };
    const [a, b, c] = ['a', 'b', 'c'].map(id => model.find(id));
    assert.ok(a && b && c);
    assert.deepEqual(rows(), ['0 a', '1 b', '2 c', '1 d']);
    assert.deepEqual([list.toggle({ call: b }), list.toggle({ call: c })], [true, false]);
    assert.deepEqual(rows(), ['0 a', '1 b', '1 d']);
    assert.deepEqual([list.indexOf(c), list.shownFor(model, c) === b], [-1, true]);
    list.toggle({ call: a });
    assert.equal(list.shownFor(model, c), a);
    assert.deepEqual([rows(), list.reveal(model, c), rows()], [['0 a'], true, ['0 a', '1 b', '2 c', '1 d']]);
    list.toggle({ call: a });
    list.toggle({ call: b });
    assert.deepEqual([list.unfoldAll(a), rows()], [true, ['0 a', '1 b', '2 c', '1 d']]);
  });

  it('holds a long chain of calls, whichever end comes first', () => {
    const CALLS = sized(100_000, 5_000);
    const chain = Array.from({ length: CALLS }, (_, at) =>
      state(`c${at}`, at, at === 0 ? undefined : `c${at - 1}`),
    );
    for (const states of [chain, chain.toReversed()]) {
      const model = modelOf(...states);
      const list = new RowList(() => undefined);
      list.list(model);
      assert.deepEqual([list.length, list.at(CALLS - 1)?.level, model.roots.length], [CALLS, CALLS - 1, 1]);
    }
  });
});
