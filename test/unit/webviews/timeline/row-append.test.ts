import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { TraceModel } from '../../../../client/webviews/timeline/model.ts';
import { RowList } from '../../../../client/webviews/timeline/waterfall/row-list.ts';
import type { CallState } from '../../../../trace/fold/call-state.ts';

/** `a` at the top, or `b<a` below `a`, at a time. */
function call(name: string, at: number): CallState {
  const [id = '', parent] = name.split('<');
  return {
    id,
    ...(parent === undefined ? {} : { parent }),
    agent: 'a',
    protocol: 'aicf',
    title: 't',
    status: 'ok',
    at,
    bytesIn: 1,
  };
}

function calls(...names: readonly string[]): readonly CallState[] {
  return names.map((name, at) => call(name, at));
}

function rowsOf(list: RowList): readonly string[] {
  return Array.from({ length: list.length }, (_, at) => {
    const row = list.at(at);
    return `${row?.level} ${row?.call.state.id}`;
  });
}

function openList(states: readonly CallState[]): { readonly model: TraceModel; readonly list: RowList } {
  const model = new TraceModel();
  model.take(states);
  const list = new RowList(() => undefined);
  list.list(model);
  return { model, list };
}

describe('rows of calls that come while they are looked at', () => {
  it('follow the last one, wherever in the tree, without listing the others again', () => {
    const { model, list } = openList(calls('plan', 'find<plan', 'read<find'));
    const before = list.work;
    const come = ['deep<read', 'side<read', 'next<find', 'more<plan', 'most<more', 'other', 'last<other'];
    model.take(come.map((name, at) => call(name, 10 + at)));
    assert.equal(list.append(model), true);
    assert.deepEqual(rowsOf(list), [
      '0 plan',
      '1 find',
      '2 read',
      '3 deep',
      '3 side',
      '2 next',
      '1 more',
      '2 most',
      '0 other',
      '1 last',
    ]);
    assert.equal(list.work - before, come.length);
    const appended = rowsOf(list);
    list.list(model);
    assert.deepEqual(rowsOf(list), appended);
  });

  it('are as many as there are, however many come one by one', () => {
    const { model, list } = openList(calls('plan'));
    for (let at = 1; at <= 500; at++) {
      model.take([call(`c${at}<${at % 5 === 0 ? 'plan' : `c${Math.max(5, at - (at % 5))}`}`, at)]);
      if (!list.append(model)) list.list(model);
    }
    const appended = rowsOf(list);
    list.list(model);
    assert.deepEqual([appended, appended.length], [rowsOf(list), 501]);
  });

  const others: Readonly<Record<string, (model: TraceModel, list: RowList) => void>> = {
    'a call between the rows': model => void model.take([call('late<find', 9)]),
    'a call before the last row': model => void model.take([call('early<plan', 0)]),
    'calls between the rows and behind them': model => void model.take([call('late<find', 9), call('z', 10)]),
    'a call that went': model => void model.take([], ['read']),
    'a call that went while another one came': model => void model.take([call('z', 9)], ['read']),
    'a call that moved': model => void model.take([call('find', 8)]),
    'calls that only changed their order': model => void model.take([call('read<plan', 2)]),
    'a call whose caller came after it': model => void model.take([call('find<late', 1), call('late', 9)]),
    'another trace': model => {
      model.clear();
      model.take(calls('plan', 'find<plan', 'read<find', 'more<plan', 'z'));
    },
    'a folded row': (model, list) => {
      const found = model.find('find');
      assert.ok(found);
      list.toggle({ call: found });
      model.take([call('z', 9)]);
    },
    'a row with its parts': (model, list) => {
      const found = model.find('more');
      assert.ok(found);
      list.toggleParts(found);
      model.take([call('z', 9)]);
    },
  };
  for (const [name, change] of Object.entries(others))
    it(`are listed anew for ${name}`, () => {
      const { model, list } = openList(calls('plan', 'find<plan', 'read<find', 'more<plan'));
      change(model, list);
      assert.equal(list.append(model), false);
    });

  it('are listed anew where none is there yet', () => {
    const model = new TraceModel();
    const list = new RowList(() => undefined);
    assert.equal(list.append(model), false);
    model.take(calls('plan'));
    assert.equal(list.append(model), false);
  });
});
