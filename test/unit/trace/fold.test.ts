import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { CallEvent, TraceEvent } from '../../../protocol/src/trace/events.ts';
import { TraceFold, foldTrace } from '../../../protocol/src/trace/fold.ts';
import type { CallNode, TraceTree } from '../../../protocol/src/trace/tree.ts';

function call(id: string, at: number, parent?: string, trace = 't'): CallEvent {
  const more = parent === undefined ? {} : { parent };
  return { type: 'call', call: id, trace, at, agent: 'a', protocol: 'aicf', title: id, ...more };
}

/** A tree in one line: `a(b(c),d)`, a note in braces behind its call. */
function outline(trees: readonly TraceTree[]): string {
  const node = ({ call: { call: id }, notes, children }: CallNode): string =>
    `${id}${notes.map(note => `{${note}}`).join('')}${children.length > 0 ? `(${children.map(node).join(',')})` : ''}`;
  return trees.map(tree => `${tree.trace}: ${tree.roots.map(node).join(' ')}`).join(' | ');
}

describe('foldTrace', () => {
  it('tells all about a call', () => {
    const wire = { type: 'wire', call: 'a', at: 2, direction: 'out', bytes: { text: 'LIST' } } as const;
    const head = { type: 'head', call: 'a', at: 1, direction: 'out', line: 'POST /', headers: [] } as const;
    const events: readonly TraceEvent[] = [
      call('a', 1),
      head,
      wire,
      { type: 'note', call: 'a', at: 3, text: 'odd' },
      { type: 'end', call: 'a', at: 3.5, status: 'error', code: '404', message: 'Tool not found' },
    ];
    const ended = { status: 'error', duration: 2.5, code: '404', message: 'Tool not found' } as const;
    const a: CallNode = {
      call: call('a', 1),
      ...ended,
      notes: ['odd'],
      heads: [head],
      wire: [wire],
      children: [],
    };
    assert.deepEqual(foldTrace(events), [{ trace: 't', roots: [a] }]);
    assert.deepEqual(foldTrace(events.slice(0, 1)), [
      {
        trace: 't',
        roots: [
          {
            ...a,
            status: 'open',
            duration: undefined,
            code: undefined,
            message: undefined,
            notes: [],
            heads: [],
            wire: [],
          },
        ],
      },
    ]);
  });

  const shapes: readonly (readonly [name: string, events: readonly TraceEvent[], outline: string])[] = [
    [
      'children, in the order of their times',
      [call('a', 1), call('c', 3, 'a'), call('b', 2, 'a')],
      't: a(b,c)',
    ],
    [
      'traces, in the order of their first calls',
      [call('b', 2, undefined, 'u'), call('a', 1)],
      't: a | u: b',
    ],
    ['an orphan', [call('a', 1), call('b', 2, 'x')], "t: a b{Its parent 'x' is not in the trace}"],
    [
      'a parent in another trace',
      [call('a', 1), call('b', 2, 'a', 'u')],
      "t: a | u: b{Its parent 'a' is not in the trace}",
    ],
    ['itself as parent', [call('a', 1, 'a')], 't: a{Its parents lead back to itself}'],
    [
      'parents in a loop',
      [call('c', 3, 'b'), call('b', 2, 'a'), call('a', 1, 'c'), call('d', 4, 'c')],
      't: a{Its parents lead back to itself}(b(c(d)))',
    ],
    ['a parent that comes late', [call('b', 2, 'a'), call('a', 1)], 't: a(b)'],
    ['a name of a prototype', [call('__proto__', 1), call('b', 2, '__proto__')], 't: __proto__(b)'],
    [
      'two calls of one id',
      [call('a', 1), call('a', 2)],
      't: a{Another call came with this id; it is left out}',
    ],
    [
      'two ends',
      [
        call('a', 1),
        { type: 'end', call: 'a', at: 2, status: 'ok' },
        { type: 'end', call: 'a', at: 3, status: 'error' },
      ],
      't: a{It ended again, as error; the first end counts}',
    ],
  ];
  for (const [name, events, expected] of shapes) {
    it(`takes ${name}`, () => assert.equal(outline(foldTrace(events)), expected));
  }

  it('leaves out events of a call that never comes, with a note', () => {
    const fold = new TraceFold();
    fold.add({ type: 'note', call: 'x', at: 1, text: 'odd' });
    fold.add({ type: 'end', call: 'x', at: 1, status: 'ok' });
    assert.deepEqual(
      [fold.trees(), fold.notes()],
      [[], ["The call 'x' is not in the trace; 2 of its events are left out"]],
    );
    fold.add(call('x', 0));
    assert.deepEqual([outline(fold.trees()), fold.notes()], ['t: x{odd}', []]);
    fold.clear();
    assert.deepEqual(fold.trees(), []);
  });

  it('keeps the objects of what did not change', () => {
    const fold = new TraceFold();
    for (const event of [call('a', 1), call('b', 2, 'a'), call('c', 3, 'a'), call('d', 4, undefined, 'u')])
      fold.add(event);
    const [before, beforeOther] = fold.trees();
    fold.add({ type: 'note', call: 'b', at: 5, text: 'odd' });
    const [after, afterOther] = fold.trees();
    assert.notEqual(after, before);
    assert.equal(afterOther, beforeOther);
    assert.equal(after?.roots[0]?.children[1], before?.roots[0]?.children[1]);
    assert.equal(outline(before ? [before] : []), 't: a(b,c)');
  });

  it('takes a chain of 100,000 calls', () => {
    const fold = new TraceFold();
    for (let at = 100_000; at > 0; at--) fold.add(call(`c${at}`, at, `c${at - 1}`));
    let depth = 0;
    for (let node = fold.trees()[0]?.roots[0]; node; node = node.children[0]) depth++;
    assert.equal(depth, 100_000);
  });

  const ids = fc.constantFrom('a', 'b', 'c', 'd', 'e', '__proto__');
  const calls = fc.uniqueArray(
    fc.record({
      id: ids,
      at: fc.integer({ min: 0, max: 3 }),
      parent: fc.option(ids, { nil: undefined }),
      trace: fc.constantFrom('t', 'u'),
    }),
    { selector: each => each.id },
  );
  const details: fc.Arbitrary<TraceEvent> = fc.oneof(
    fc.record({ type: fc.constant('note'), call: ids, at: fc.nat(9), text: fc.constantFrom('x', 'y') }),
    fc.record({ type: fc.constant('end'), call: ids, at: fc.nat(9), status: fc.constantFrom('ok', 'error') }),
  );
  const traces = fc.record({ calls, details: fc.array(details) });
  const listEvents = (made: {
    readonly calls: readonly { id: string; at: number; parent: string | undefined; trace: string }[];
    readonly details: readonly TraceEvent[];
  }): readonly TraceEvent[] => [
    ...made.calls.map(each => call(each.id, each.at, each.parent, each.trace)),
    ...made.details,
  ];

  it('does not depend on the order of events of different calls', () => {
    fc.assert(
      fc.property(traces, fc.array(fc.nat(), { minLength: 50, maxLength: 50 }), (made, keys) => {
        const events = listEvents(made);
        const order = new Map(events.map((event, index) => [event, index]));
        // Events of one call stay in their order; a stable sort by a key of the call mixes the others.
        const key = (event: TraceEvent): number =>
          keys[[...event.call].reduce((sum, unit) => sum + unit.charCodeAt(0), 0) % 50] ?? 0;
        const mixed = [...events].sort(
          (a, b) => key(a) - key(b) || (order.get(a) ?? 0) - (order.get(b) ?? 0),
        );
        assert.deepEqual(foldTrace(mixed), foldTrace(events));
      }),
    );
  });

  it('shows each call once, whatever its parents', () => {
    fc.assert(
      fc.property(traces, made => {
        const seen: string[] = [];
        const visit = (node: CallNode): void => {
          seen.push(node.call.call);
          node.children.forEach(visit);
        };
        for (const tree of foldTrace(listEvents(made))) tree.roots.forEach(visit);
        assert.deepEqual(seen.sort(), made.calls.map(each => each.id).sort());
      }),
    );
  });

  it('is the same when events come twice', () => {
    fc.assert(
      fc.property(traces, made => {
        const events = listEvents(made);
        assert.deepEqual(foldTrace(events.flatMap(event => [event, event])), foldTrace(events));
        assert.deepEqual(
          foldTrace([...events, ...events.filter(event => event.type === 'call')]),
          foldTrace(events),
        );
      }),
    );
  });

  it('is the same one by one as at once', () => {
    fc.assert(
      fc.property(traces, made => {
        const fold = new TraceFold();
        const events = listEvents(made);
        for (const [index, event] of events.entries()) {
          fold.add(event);
          assert.deepEqual(fold.trees(), foldTrace(events.slice(0, index + 1)));
        }
      }),
    );
  });
});
