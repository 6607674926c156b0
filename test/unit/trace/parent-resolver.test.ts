import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { CallEvent, TraceEvent, TraceName } from '../../../core/events/events.ts';
import { TraceFold } from '../../../trace/fold/fold.ts';
import { foldTrace } from '../../support/at-once.ts';
import { outline } from './support/picture.ts';

const MINUTE = 60_000;

/** A call whose agent is its id in capitals, without a number: `a2` is a call of A. Each is a trace of its own. */
function call(id: string, at: number, more: Partial<CallEvent> = {}): CallEvent {
  const agent = id.slice(0, 1).toUpperCase();
  return { type: 'call', call: id, trace: `t${id}`, at, agent, protocol: 'mcp', title: id, ...more };
}

/** The same as a proxy before its agent sees it. */
function seen(id: string, at: number, ...names: readonly TraceName[]): CallEvent {
  return call(id, at, { seen: 'between', ...(names.length > 0 ? { names } : {}) });
}

function end(id: string, at: number): Extract<TraceEvent, { readonly type: 'end' }> {
  return { type: 'end', call: id, at, status: 'ok' };
}

/** Something comes back for a call. */
function observed(id: string, at: number): TraceEvent {
  return { type: 'wire', call: id, at, direction: 'in', bytes: { text: 'x' } };
}

const w3c = (trace: string, parent: string): TraceName => ({ scheme: 'w3c', trace, parent });
const aio = (trace: string, id: string): TraceName => ({ scheme: 'aio', trace, id });
const star = (trace: string, depth?: number): TraceName => ({
  scheme: 'openstarry',
  trace,
  ...(depth === undefined ? {} : { depth }),
});
const learn = (id: string, at: number, more: object): TraceEvent => ({
  type: 'identity',
  call: id,
  at,
  ...more,
});

const AGAIN = '{Its trace id was used before; this is another trace: id used again}';
const BACK = '{By its recorded times it ended before it began; its duration is shown as 0}';
const TWO = '{2 calls were open when it began; the latest of them is assumed to be its caller}';

const task = (id: string): TraceName => ({ scheme: 'a2a', trace: id });

const GROUPS: Readonly<
  Record<string, readonly (readonly [name: string, events: readonly TraceEvent[], expected: string])[]>
> = {
  'a call about a task': [
    [
      'belongs to its trace also if the task waited for its user for hours',
      [
        call('a', 1),
        learn('a', 2, { names: [task('x')] }),
        end('a', 3),
        call('b', 10_000_000, { names: [task('x')] }),
      ],
      'ta: a b',
    ],
    [
      'stands beside the one that began it, however often it is asked for',
      [
        call('a', 1),
        learn('a', 2, { names: [task('x')] }),
        end('a', 3),
        call('a2', 4, { names: [task('x')] }),
      ],
      'ta: a a2',
    ],
    [
      'stands below the call that its agent was serving, as others do',
      [seen('a', 1), call('b', 2, { seen: 'between', from: 'A', names: [task('x')] })],
      'ta: a(~b)',
    ],
  ],
  'a call that names its caller': [
    ['by traceparent', [call('a', 1), seen('b', 2, w3c('ta', 'a'))], 'ta: a(b)'],
    ['by a traceparent of a call that is not known', [seen('b', 2, w3c('ta', 'a'))], 'tb: b'],
    ['by a traceparent of another trace', [call('a', 1), seen('b', 2, w3c('tx', 'a'))], 'ta: a | tb: b'],
    ['before that call is told', [seen('b', 2, w3c('ta', 'a')), call('a', 1)], 'ta: a(b)'],
    [
      'when it is learned of it',
      [call('a', 1), seen('b', 2), learn('b', 3, { names: [w3c('ta', 'a')] })],
      'ta: a(b)',
    ],
    [
      'by an id that is learned of the call last',
      [
        call('a', 1, { names: [aio('x', '1')] }),
        seen('b', 2, { scheme: 'aio', trace: 'x', parent: '2' }),
        learn('a', 3, { names: [aio('x', '2')] }),
      ],
      'ta: a(b)',
    ],
    [
      'by the id of a span that the call has beside its own',
      [call('a', 1, { names: [{ scheme: 'w3c', trace: 'tx', id: 's' }] }), seen('b', 2, w3c('tx', 's'))],
      'ta: a(b)',
    ],
  ],
  'a call seen from two sides': [
    ['by traceparent', [call('a', 1), seen('a2', 2, w3c('ta', 'a'))], 'ta: a(=a2)'],
    [
      'by the id of an AIO call',
      [call('a', 1, { names: [aio('x', '1')] }), seen('a2', 2, aio('x', '1'))],
      'ta: a(=a2)',
    ],
    [
      'by the agent too, and what that calls stands below it',
      [
        call('a', 1),
        seen('a2', 2, w3c('ta', 'a')),
        call('a3', 3, { seen: 'callee', reported: true, names: [w3c('ta', 'a2'), w3c('ta2', 'a2')] }),
        seen('b', 4, w3c('ta3', 'a3')),
      ],
      'ta: a(=a2(=a3(b)))',
    ],
    [
      'but not where the id came back after its end',
      [call('a', 1, { names: [aio('x', '1')] }), end('a', 2), seen('a2', 3, aio('x', '1'))],
      `ta: a | ta2: a2${AGAIN}`,
    ],
    [
      'but not at a greater depth',
      [seen('a', 1, star('x', 0)), seen('a2', 2, star('x', 1))],
      'ta: a(a2<A>A>)',
    ],
  ],
  'names in one message': [
    [
      'are joined: who carries one of them belongs to all',
      [
        seen('a', 1, star('x', 0), aio('y', '1')),
        end('a', 2),
        seen('b', 3, aio('y', '2')),
        end('b', 4),
        seen('c', 5, star('x')),
      ],
      'ta: a b c',
    ],
    [
      'are joined when they are learned',
      [
        call('a', 1),
        end('a', 2),
        call('b', 3),
        learn('a', 4, { names: [aio('x', '1')] }),
        learn('b', 5, { names: [aio('x', '2')] }),
      ],
      'ta: a b',
    ],
    [
      'of sessions join nothing',
      [call('a', 1, { session: 's' }), call('b', 2, { session: 's' })],
      'ta: a | tb: b',
    ],
  ],
  'a name that is used again': [
    [
      'by a second call of depth 0',
      [seen('a', 1, star('x', 0)), seen('b', 2, star('x', 0))],
      `ta: a | tb: b${AGAIN}`,
    ],
    [
      'with the id of another AIO call',
      [seen('a', 1, aio('x', '1')), seen('b', 2, aio('x', '1'))],
      `ta: a | tb: b${AGAIN}`,
    ],
    [
      'more than ten minutes after its trace ended',
      [seen('a', 1, aio('x', '1')), end('a', 2), seen('b', 3 + 10 * MINUTE, aio('x', '2'))],
      `ta: a | tb: b${AGAIN}`,
    ],
    [
      'is none if Parley gave it: a task may go on for days',
      [
        seen('a', 1, aio('AIO-TR-20260304-18367000123456', '1')),
        end('a', 2),
        seen('b', 3 + 10 * MINUTE, aio('AIO-TR-20260304-18367000123456', '2')),
      ],
      'ta: a b',
    ],
    [
      'and stays with the later trace',
      [
        seen('a', 1, aio('x', '1')),
        end('a', 2),
        seen('b', 3 + 10 * MINUTE, aio('x', '2')),
        end('b', 4 + 10 * MINUTE),
        seen('c', 5 + 10 * MINUTE, aio('x', '3')),
      ],
      `ta: a | tb: b${AGAIN} c`,
    ],
    [
      'is not, ten minutes after its trace ended',
      [seen('a', 1, aio('x', '1')), end('a', 2), seen('b', 2 + 10 * MINUTE, aio('x', '2'))],
      'ta: a b',
    ],
    [
      'is not, ten minutes after a call of its trace began whose clock then ran back',
      [seen('a', 20 * MINUTE, aio('x', '1')), end('a', MINUTE), seen('b', 30 * MINUTE, aio('x', '2'))],
      `ta: a${BACK} b`,
    ],
    [
      'is not, while its trace is open',
      [seen('a', 1, aio('x', '1')), seen('b', 20 * MINUTE, aio('x', '2'))],
      'ta: a(~b)',
    ],
    [
      'is not, of a call that names its caller',
      [seen('a', 1, star('x', 0)), end('a', 2), seen('b', 20 * MINUTE, w3c('ta', 'a'), star('x', 0))],
      'ta: a(b^0{It carries the depth 0 and is at depth 1})',
    ],
    [
      'is not, of a call that names its caller in another trace: the two are one',
      [seen('c', 1, star('x', 0)), end('c', 2), call('a', 3), seen('b', 4, w3c('ta', 'a'), star('x', 0))],
      'tc: c a(b^0{It carries the depth 0 and is at depth 1})',
    ],
    [
      'gives the later trace a name of its own',
      [
        call('a', 1),
        end('a', 2),
        call('b', 20 * MINUTE, { trace: 'ta' }),
        end('b', 20 * MINUTE),
        call('c', 40 * MINUTE, { trace: 'ta' }),
      ],
      `ta: a | ta/2: b${AGAIN} | ta/3: c${AGAIN}`,
    ],
  ],
  'a call that names no caller': [
    ['was made by the agent that was serving', [seen('a', 1), seen('b', 2)], 'ta: a(~b)'],
    ['was made by the innermost one', [seen('a', 1), seen('b', 2), seen('c', 3)], 'ta: a(~b(~c))'],
    [
      'was made by the latest of several',
      [seen('a', 1), seen('a2', 2), seen('b', 3)],
      `ta: a | ta2: a2(~b${TWO})`,
    ],
    ['was made by nobody who had ended', [seen('a', 1), end('a', 2), seen('b', 2)], 'ta: a | tb: b'],
    [
      'was made by nobody who had ended, as is told late',
      [seen('a', 1), seen('b', 3), end('a', 2)],
      'ta: a | tb: b',
    ],
    [
      'was made by nobody who had answered in full before anything came back for it',
      [seen('a', 1), seen('b', 2), end('a', 3), observed('b', 4), end('b', 5)],
      'ta: a | tb: b',
    ],
    [
      'was made by nobody who had answered in full while it is open',
      [seen('a', 1), seen('b', 2), end('a', 3)],
      'ta: a | tb: b',
    ],
    [
      'was made by one that went on when its answer came, however late that is told',
      [seen('a', 1), seen('b', 2), end('a', 4), observed('b', 5), observed('b', 3)],
      'ta: a(~b)',
    ],
    [
      'was made by one that broke off before it was answered',
      [seen('a', 1), seen('b', 2), { ...end('a', 3), status: 'cancelled' }, observed('b', 4)],
      'ta: a(~b)',
    ],
    [
      'was made by an earlier one where the latest had answered before',
      [seen('a', 1), seen('b', 2), seen('c', 3), observed('b', 4), end('b', 4), observed('c', 5)],
      'ta: a(~b,~c)',
    ],
    [
      'was made by nobody to whom somebody only listens, also where that is learned later',
      [seen('a', 1), seen('b', 2), learn('a', 3, { title: 'listen for messages' })],
      'ta: a | tb: b',
    ],
    ['was not made by its own agent', [seen('a', 1), seen('a2', 2)], 'ta: a | ta2: a2'],
    [
      'was not made by an agent other than is said',
      [seen('a', 1), seen('b', 2), call('c', 3, { seen: 'between', from: 'A' })],
      'ta: a(~b,~c)',
    ],
    [
      'was made by nobody where it carries the name of another trace',
      [seen('a', 1), seen('b', 2, aio('x', '1'))],
      'ta: a | tb: b',
    ],
    [
      'was made by one of its trace',
      [seen('a', 1, aio('x', '1')), seen('b', 2), seen('c', 3, aio('x', '2'))],
      'ta: a(~b(~c))',
    ],
    [
      'was made by nobody where it carries depth 0',
      [seen('a', 1), seen('b', 2, star('x', 0))],
      'ta: a | tb: b',
    ],
    [
      'was made by nobody where it carries depth 0 in a trace that goes on',
      [seen('a', 1, aio('x', '1')), seen('b', 2, aio('x', '2'), star('y', 0))],
      'ta: a b',
    ],
    [
      'was not made while the agent asked back, which is no serving',
      [call('a', 1), call('x', 2, { parent: 'a', back: true }), seen('b', 3)],
      'ta: a(x,~b)',
    ],
    [
      'was made by nobody of whom was only told',
      [call('a', 1, { reported: true }), seen('b', 2)],
      'ta: a | tb: b',
    ],
    ['was made by us', [seen('a', 1), call('b', 2)], 'ta: a | tb: b'],
  ],
  'the depth that a call carries': [
    [
      'names its caller where one fits',
      [
        seen('a', 1, star('x', 0)),
        seen('b', 2, star('x', 1)),
        seen('c', 3, star('x', 1)),
        seen('d', 4, star('x', 2)),
      ],
      `ta: a(b,c(~d${TWO}))`,
    ],
    [
      'counts where its callers are not seen, and below it',
      [seen('a', 1, star('x', 4)), seen('b', 2, w3c('ta', 'a'))],
      'ta: a^4(b)',
    ],
    [
      'is noted where the tree has another one',
      [call('a', 1), seen('b', 2, w3c('ta', 'a'), star('x', 3))],
      'ta: a(b^3{It carries the depth 3 and is at depth 1})',
    ],
    [
      'is that of the caller where a bridge passes it on, which is no view of the call',
      [
        seen('a', 1, star('x', 3)),
        call('b', 2, { parent: 'a', trace: 'ta', names: [star('x', 3)] }),
        seen('c', 3, w3c('ta', 'b'), star('x', 4)),
      ],
      'ta: a^3(b^3(c))',
    ],
    [
      'is none of siblings',
      [
        call('a', 1),
        ...['b', 'c', 'd', 'e', 'f', 'g', 'h'].map((id, at) => seen(id, at + 2, w3c('ta', 'a'))),
      ],
      'ta: a(b,c,d,e,f,g,h)',
    ],
  ],
  'a cycle': [
    [
      'is named as soon as it closes',
      [
        call('a', 1),
        seen('b', 2, w3c('ta', 'a')),
        seen('c', 3, w3c('tb', 'b')),
        seen('a2', 4, w3c('tc', 'c')),
      ],
      'ta: a(b(c(a2<A>B>C>A>)))',
    ],
    [
      'is not closed by another side of a call, nor by what an agent asks back',
      [
        call('a', 1),
        seen('a2', 2, w3c('ta', 'a')),
        call('b', 3, { parent: 'a2', agent: 'B' }),
        call('x', 4, { parent: 'b', agent: 'A', back: true }),
        call('c', 5, { parent: 'x' }),
      ],
      'ta: a(=a2(b(x(c))))',
    ],
    [
      'is a perhaps where a caller on the way is inferred: one client may ask two agents side by side',
      [seen('a', 1), seen('b', 2), seen('a2', 3)],
      'ta: a(~b(~a2<?A>B>A>))',
    ],
    [
      'is none the less certain for a caller above it that is inferred',
      [seen('x', 1), seen('a', 2), seen('b', 3, w3c('ta', 'a')), seen('a2', 4, w3c('tb', 'b'))],
      'tx: x(~a(b(a2<A>B>A>)))',
    ],
    [
      'is named from the nearest call of the agent',
      [
        call('a', 1),
        call('a2', 2, { parent: 'a' }),
        call('b', 3, { parent: 'a2' }),
        call('a3', 4, { parent: 'b' }),
      ],
      'ta: a(a2<A>A>(b(a3<A>B>A>)))',
    ],
  ],
};

describe('very many calls that are open', () => {
  /** What is noted of a call while so many of the agent A are open, and others that ended. */
  const noteOf = (count: number): unknown => {
    const ended = Array.from({ length: 50 }, (_, at) => [call(`a-${at}`, 1), end(`a-${at}`, 2)]);
    const open = Array.from({ length: count }, (_, at) => call(`a${at}`, 3 + at));
    const events = [...ended.flat(), ...open, seen('b', MINUTE)];
    const notes = [events, events.toReversed()].map(given => {
      const fold = new TraceFold();
      for (const event of given) fold.add(event);
      fold.trees();
      return fold.find('b')?.notes;
    });
    assert.deepEqual(notes[0], notes[1]);
    return notes[0];
  };

  it('are said to be so many as were counted, and at least so many where not all were', () => {
    const note = (count: string): unknown => [
      `${count} calls were open when it began; the latest of them is assumed to be its caller`,
    ];
    assert.deepEqual(
      [99, 100, 101, 500].map(noteOf),
      ['99', '100', 'At least 100', 'At least 100'].map(note),
    );
  });
});

for (const [group, cases] of Object.entries(GROUPS)) {
  describe(group, () => {
    for (const [name, events, expected] of cases) {
      it(name, () => {
        assert.equal(outline(foldTrace(events)), expected);
        assert.equal(outline(foldTrace(events.toReversed())), expected);
        const asked = new TraceFold();
        for (const event of events) {
          asked.add(event);
          asked.settle();
        }
        assert.equal(outline(asked.trees()), expected);
      });
    }
  });
}
