import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { CallEvent, EndEvent, TraceEvent } from '../../../core/events/events.ts';
import { TraceFold } from '../../../trace/fold/fold.ts';
import { withoutPayload } from '../../../core/events/payload.ts';
import { outline, picture } from './support/picture.ts';
import { foldTrace } from '../../support/at-once.ts';
import { itAtFullSize, sized } from '../../support/size.ts';

function call(id: string, at: number, parent?: string, trace = 't'): CallEvent {
  const more = parent === undefined ? {} : { parent };
  return { type: 'call', call: id, trace, at, agent: 'a', protocol: 'aicf', title: id, ...more };
}

function end(id: string, at: number, status: EndEvent['status'] = 'ok', seq?: number): EndEvent {
  return { type: 'end', call: id, at, status, ...(seq === undefined ? {} : { seq }) };
}

describe('a call', () => {
  const wire = { type: 'wire', call: 'a', at: 2, direction: 'out', bytes: { text: 'LIST' } } as const;
  const head = { type: 'head', call: 'a', at: 1, direction: 'out', line: 'POST /', headers: [] } as const;
  const attributes = [{ name: 'x', json: '1' }];
  const names = [{ scheme: 'aio', trace: 'AIO-TR-1', id: '7' }] as const;
  const usage = { input: 3, output: 4 };
  const EVENTS: readonly TraceEvent[] = [
    call('a', 1),
    head,
    wire,
    { ...wire, at: 3, direction: 'in', bytes: { base64: '/w==' } },
    { ...wire, at: 4, direction: 'in', bytes: { text: '[redacted]é' }, redacted: [{ at: 0, length: 3 }] },
    { ...wire, at: 5, direction: 'stderr', bytes: { text: 'no' } },
    { type: 'note', call: 'a', at: 5, text: 'odd' },
    { type: 'attributes', call: 'a', at: 5, attributes },
    {
      type: 'identity',
      call: 'a',
      at: 5,
      title: 'list',
      agent: 'b',
      protocol: 'aio',
      from: 'c',
      session: 's',
      names,
    },
    { type: 'end', call: 'a', at: 5.5, status: 'error', code: '404', message: 'Tool not found', usage },
  ];
  const WHOLE = {
    call: { ...call('a', 1), title: 'list', agent: 'b', protocol: 'aio', from: 'c', session: 's', names },
    status: 'error',
    duration: 4.5,
    code: '404',
    message: 'Tool not found',
    usage,
    firstInAt: 3,
    notes: ['odd'],
    attributes,
    heads: [head],
    wire: EVENTS.filter(event => event.type === 'wire'),
    traffic: [4, 6, 2, 2, 5.5, 3, 4],
    names: [{ scheme: 'w3c', trace: 't', id: 'a' }, ...names],
    parent: undefined,
    parentage: 'root',
    depth: 0,
    children: [],
  };

  it('has all that its events reported', () => {
    assert.deepEqual(picture(foldTrace(EVENTS)), [{ trace: 't', size: 1, roots: [WHOLE] }]);
    const { call: begun, names: own } = { call: call('a', 1), names: WHOLE.names.slice(0, 1) };
    const { parent, parentage, depth, children } = WHOLE;
    const bare = { call: begun, traffic: [0, 0, 0, 0, 1], names: own, parent, parentage, depth, children };
    assert.deepEqual(picture(foldTrace(EVENTS.slice(0, 1))), [{ trace: 't', size: 1, roots: [bare] }]);
  });

  it('counts the bytes on the wire if the payload is stored elsewhere', () => {
    const { heads, wire: bytes, ...counted } = WHOLE;
    assert.deepEqual([heads.length, bytes.length], [1, 4]);
    for (const events of [EVENTS, EVENTS.map(withoutPayload)]) {
      const fold = new TraceFold('counted');
      for (const event of events) fold.add(event);
      assert.deepEqual(picture(fold.trees()), [{ trace: 't', size: 1, roots: [counted] }]);
    }
  });

  it('keeps at most 512 times of pieces, spread as they were, whatever their order', () => {
    const times = Array.from({ length: 5_000 }, (_, index) => 10 + index * (index < 2_500 ? 1 : 3));
    const ticksOf = (order: readonly number[]): readonly number[] => {
      const events = order.map(at => ({ ...wire, at, direction: 'in' }) as const);
      return foldTrace([call('a', 1), ...events])[0]?.roots[0]?.traffic.ticks ?? [];
    };
    const ticks = ticksOf(times);
    assert.deepEqual([ticks.length, ticks[0]], [314, 10]);
    assert.equal(new Set(ticks.map(at => Math.floor(at / 32))).size, ticks.length);
    assert.deepEqual(ticksOf(times.toReversed()), ticks);
    assert.deepEqual(ticksOf(times.toSorted((a, b) => (a % 7) - (b % 7))), ticks);
  });

  const unexpected: readonly (readonly [
    name: string,
    events: readonly TraceEvent[],
    notes: readonly string[],
  ])[] = [
    ['two calls of one id', [call('a', 1), call('a', 2)], ['Another call has this id; it is left out']],
    ['the same call twice', [call('a', 1), call('a', 1)], []],
    [
      'two ends, of which the first counts',
      [call('a', 1), end('a', 2), end('a', 3, 'error'), end('a', 4, 'error')],
      ['It ended again, as error; the first end counts'],
    ],
    [
      'events that come twice, by their numbers',
      [
        call('a', 1),
        ...[1, 2].flatMap(seq =>
          [seq, seq].map(() => ({ type: 'note', call: 'a', at: 2, text: `${seq}`, seq }) as const),
        ),
      ],
      ['1', '2'],
    ],
  ];
  for (const [name, events, notes] of unexpected) {
    it(`takes ${name}, in any order`, () => {
      for (const order of [events, events.toReversed()]) {
        const [node] = foldTrace(order)[0]?.roots ?? [];
        assert.deepEqual([node?.call.at, node?.notes], [1, notes]);
      }
    });
  }

  it('takes 1,000 details at most, and says that there were more', () => {
    const fold = new TraceFold();
    fold.add(call('a', 1));
    for (let at = 0; at < 1_003; at++) fold.add({ type: 'identity', call: 'a', at, title: `${at}` });
    const node = fold.find('a');
    assert.deepEqual(
      [node?.call.title, node?.notes],
      ['999', ['Details reported more than 1000 times is left out']],
    );
  });
});

describe('foldTrace', () => {
  it('says of a call that it ended before it began, and takes no time from another', () => {
    const [tree] = foldTrace([call('a', 10), end('a', 4), call('b', 5, 'a'), end('b', 7)]);
    const [node] = tree?.roots ?? [];
    assert.deepEqual(
      [node?.duration, node?.notes, node?.children[0]?.duration, node?.children[0]?.notes],
      [0, ['By its recorded times it ended before it began; its duration is shown as 0'], 2, []],
    );
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
    ['a parent of another trace, which is the same then', [call('a', 1), call('b', 2, 'a', 'u')], 't: a(b)'],
    ['itself as parent', [call('a', 1, 'a')], 't: a{Its parents form a cycle}'],
    [
      'parents in a loop',
      [call('c', 3, 'b'), call('b', 2, 'a'), call('a', 1, 'c'), call('d', 4, 'c')],
      't: a{Its parents form a cycle}(b<a>a>(c<a>a>(d<a>a>)))',
    ],
    [
      'the earlier of two calls with one id',
      [call('a', 5), call('b', 3), call('a', 1)],
      't: a{Another call has this id; it is left out} b',
    ],
    ['a parent that comes late', [call('b', 2, 'a'), call('a', 1)], 't: a(b<a>a>)'],
    ['names of a prototype', [call('__proto__', 1), call('b', 2, '__proto__')], 't: __proto__(b<a>a>)'],
  ];
  for (const [name, events, expected] of shapes) {
    const shown = (order: readonly TraceEvent[]): string => outline(foldTrace(order));
    const cycles = (text: string): string => (expected.includes('<') ? text : text.replaceAll('<a>a>', ''));
    it(`takes ${name}`, () => {
      assert.equal(cycles(shown(events)), expected);
      assert.equal(cycles(shown(events.toReversed())), expected);
    });
  }

  it('leaves out events of a call that never comes, with a note', () => {
    const fold = new TraceFold();
    fold.add({ type: 'note', call: 'x', at: 1, text: 'odd' });
    fold.add(end('x', 1));
    assert.deepEqual(
      [fold.trees(), fold.notes()],
      [[], ["The call 'x' is not in the trace; 2 of its events are left out"]],
    );
    fold.add(call('x', 0));
    assert.deepEqual([outline(fold.trees()), fold.notes()], ['t: x{odd}', []]);
  });

  it('tells which calls changed, those that stand elsewhere among them', () => {
    const fold = new TraceFold();
    const changes = (): readonly string[] => [...fold.takeChanges()].map(node => node.call.call).sort();
    for (const event of [call('a', 1), call('c', 3, 'b'), call('d', 4), { ...call('e', 5, 'd'), agent: 'b' }])
      fold.add(event);
    assert.deepEqual([changes(), changes()], [['a', 'c', 'd', 'e'], []]);
    fold.add({ type: 'note', call: 'a', at: 5, text: 'odd' });
    fold.add({ type: 'note', call: 'd', at: 5, text: 'odd', seq: 1 });
    assert.deepEqual(changes(), ['a', 'd']);
    fold.add({ type: 'note', call: 'd', at: 5, text: 'odd', seq: 1 });
    assert.deepEqual(changes(), []);
    fold.add(call('b', 2, 'a'));
    fold.settle();
    assert.deepEqual(changes(), ['a', 'b', 'c']);
    fold.settle();
    assert.deepEqual(changes(), []);
  });

  it('forgets a trace, and takes its names again as new', () => {
    const fold = new TraceFold();
    for (const event of [call('a', 1), call('b', 2, 'a'), call('c', 3, undefined, 'u')]) fold.add(event);
    const tree = fold.treeOf('b');
    assert.deepEqual(tree && fold.forget(tree).map(event => event.call), ['a', 'b']);
    assert.deepEqual(
      [outline(fold.trees()), fold.find('a'), fold.treeOf('b')],
      ['u: c', undefined, undefined],
    );
    fold.add(call('d', 4));
    assert.equal(outline(fold.trees()), 'u: c | t: d');
  });
});

describe('the work of a fold', () => {
  const MANY = sized(100_000, 2_000);
  const FEWER = sized(20_000, 1_200);
  const count = (from: number, to: number): readonly number[] =>
    Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => (from < to ? from + index : from - index));
  const chain = (order: readonly number[], time: (index: number) => number): readonly CallEvent[] =>
    order.map(index => call(`c${index}`, time(index), index === 0 ? undefined : `c${index - 1}`));
  const [up, down, few] = [count(0, MANY - 1), count(MANY - 1, 0), count(0, FEWER - 1)];

  /** Folds, and answers the work for a call and the greatest depth. */
  function measure(events: Iterable<CallEvent>): readonly [work: number, depth: number, roots: number] {
    const fold = new TraceFold();
    let size = 0;
    for (const event of events) {
      fold.add(event);
      size++;
    }
    const roots = fold.trees().flatMap(tree => tree.roots);
    let depth = 0;
    const open = [...roots];
    for (let node = open.pop(); node; node = open.pop()) {
      depth = Math.max(depth, node.depth);
      for (const child of node.children) open.push(child);
    }
    return [Math.ceil(fold.work / size), depth, roots.length];
  }

  const cases: readonly (readonly [
    name: string,
    events: () => Iterable<CallEvent>,
    expected: readonly number[],
  ])[] = [
    ['a chain', () => chain(up, index => index), [4, MANY - 1, 1]],
    [
      'a chain of agents that none was entered before',
      () => chain(few, index => index).map(each => ({ ...each, agent: each.call })),
      [260, FEWER - 1, 1],
    ],
    ['a chain that comes from its end', () => chain(down, index => index), [10, MANY - 1, 1]],
    ['a chain whose clocks run backwards', () => chain(up, index => MANY - index), [73, MANY - 1, 1]],
    [
      'a chain from its end whose clocks run backwards',
      () => chain(down, index => MANY - index),
      [72, MANY - 1, 1],
    ],
    [
      'children of one call',
      () => [call('p', -1), ...up.map(index => call(`c${index}`, index, 'p'))],
      [4, 1, 1],
    ],
    [
      'children that come before their parent',
      () => [...up.map(index => call(`c${index}`, index, 'p')), call('p', 0)],
      [10, 1, 1],
    ],
    [
      'one great loop',
      () => [...chain(up.slice(1), index => index), call('c0', 0, `c${MANY - 1}`)],
      [12, MANY - 1, 1],
    ],
    [
      'small loops beside a chain',
      () =>
        up.map(index =>
          call(`c${index}`, index, index < MANY / 2 ? `c${Math.max(0, index - 1)}` : `c${index ^ 1}`),
        ),
      [10, MANY / 2 - 1, MANY / 4 + 1],
    ],
    [
      'traces that join at last',
      () => [
        ...few.map(index => call(`c${index}`, index, undefined, `t${index}`)),
        ...few.slice(1).map(index => call(`d${index}`, FEWER + index, `c${index}`, `t${index - 1}`)),
      ],
      [12, 1, FEWER],
    ],
    [
      'calls without an end that are seen between',
      () =>
        few.map(index => ({
          ...call(`c${index}`, index, undefined, `t${index}`),
          agent: `a${index % 3}`,
          seen: 'between' as const,
        })),
      [360, FEWER - 1, 1],
    ],
  ];
  for (const [name, events, [work, ...shape]] of cases) {
    it(`is linear for ${name}`, () => {
      const [found, ...tree] = measure(events());
      assert.deepEqual(tree, shape);
      assert.ok(found <= (work ?? 0), `${found} calls were looked at for each`);
    });
  }

  itAtFullSize('holds for a million children', () => {
    function* million(): Generator<CallEvent> {
      yield call('p', 0);
      for (let index = 1; index <= 1_000_000; index++) yield call(`c${index}`, index, 'p');
    }
    assert.deepEqual(measure(million()), [4, 1, 1]);
  });
});
