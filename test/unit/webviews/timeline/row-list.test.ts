import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { TraceModel } from '../../../../client/webviews/timeline/model.ts';
import { RowList } from '../../../../client/webviews/timeline/waterfall/row-list.ts';
import type { ReplyParts, TracePart } from '../../../../protocols/reply-parts/part.ts';

function part(id: string, at: number, children: readonly TracePart[] = []): TracePart {
  return {
    id,
    kind: 'text',
    title: id,
    status: 'ok',
    at,
    until: at,
    pieces: 1,
    ticks: [at],
    notes: [],
    children,
  };
}

const reply = (...parts: readonly TracePart[]): ReplyParts => ({ parts, notes: [] });

/** A plan at 0 with calls below it at 20 and 40, of which something came back for all but the last. */
function openPlan(reported: ReadonlyMap<string, ReplyParts>): {
  readonly list: RowList;
  readonly call: (id: string) => NonNullable<ReturnType<TraceModel['find']>>;
  readonly rows: () => readonly string[];
} {
  const model = new TraceModel();
  const common = { agent: 'a', protocol: 'agent-api', title: 't', status: 'ok' } as const;
  model.take([
    { id: 'plan', at: 0, until: 90, bytesIn: 9, ...common },
    { id: 'book', at: 20, until: 30, bytesIn: 9, parent: 'plan', ...common },
    { id: 'mute', at: 40, until: 50, parent: 'plan', ...common },
  ]);
  const list = new RowList(call => reported.get(call));
  const call = (id: string): NonNullable<ReturnType<TraceModel['find']>> => {
    const found = model.find(id);
    assert.ok(found);
    return found;
  };
  const rows = (): readonly string[] => {
    list.list(model);
    return Array.from({ length: list.length }, (_, at) => {
      const row = list.at(at);
      assert.ok(row);
      const mark = list.hasBelow(row) ? (list.isFolded(row) ? '▸' : '▾') : '·';
      return `${row.level}${mark}${row.part ? `${row.call.state.id}/${row.part.id}` : row.call.state.id}`;
    });
  };
  return { list, call, rows };
}

describe('rows of parts', () => {
  it('stand between the calls by their time, once they are asked for', () => {
    const reported = new Map<string, ReplyParts>();
    const { list, call, rows } = openPlan(reported);
    const closed = ['0▾plan', '1▸book', '1·mute'];
    assert.deepEqual([rows(), [...list.opened]], [closed, []]);
    assert.deepEqual([list.toggleParts(call('plan')), rows(), [...list.opened]], [true, closed, ['plan']]);
    reported.set('plan', reply(part('think', 5), part('say', 30, [part('a', 30), part('b', 31)])));
    assert.deepEqual(rows(), [
      '0▾plan',
      '1·plan/think',
      '1▸book',
      '1▾plan/say',
      '2·plan/a',
      '2·plan/b',
      '1·mute',
    ]);
    assert.deepEqual(
      [list.indexOf(call('plan'), 'b'), list.indexOf(call('book'), 'b'), list.indexOf(call('mute'))],
      [5, -1, 6],
    );
    assert.deepEqual(
      [list.above(5)?.part?.id, list.above(3)?.part, list.above(0)],
      ['say', undefined, undefined],
    );
    list.toggle({ call: call('plan'), part: part('say', 30, [part('a', 30)]) });
    assert.deepEqual(rows(), ['0▾plan', '1·plan/think', '1▸book', '1▸plan/say', '1·mute']);
    list.toggle({ call: call('plan') });
    assert.deepEqual([rows(), list.toggleParts(call('plan'))], [['0▸plan'], true]);
    assert.deepEqual(rows(), ['0▾plan', '1·plan/think', '1▸book', '1▸plan/say', '1·mute']);
    assert.deepEqual([list.toggleParts(call('plan')), rows()], [true, closed]);
  });

  it('are what a call that led to none opens to', () => {
    const reported = new Map([['book', reply(part('only', 25))]]);
    const { list, call, rows } = openPlan(reported);
    assert.deepEqual(
      [list.toggle({ call: call('book') }), list.toggle({ call: call('mute') })],
      [true, false],
    );
    assert.deepEqual(rows(), ['0▾plan', '1▾book', '2·book/only', '1·mute']);
    reported.set('book', reply());
    assert.deepEqual([rows(), list.toggleParts(call('book'))], [['0▾plan', '1·book', '1·mute'], false]);
  });

  it('are folded away below a part that holds many', () => {
    const chunks = Array.from({ length: 21 }, (_, index) => part(`c${index}`, 25));
    const reported = new Map([['book', reply(part('stream', 25, chunks))]]);
    const { list, call, rows } = openPlan(reported);
    list.toggle({ call: call('book') });
    assert.deepEqual(rows(), ['0▾plan', '1▾book', '2▸book/stream', '1·mute']);
    list.toggle({ call: call('book'), part: part('stream', 25, chunks) });
    assert.equal(rows().length, 25);
  });
});
