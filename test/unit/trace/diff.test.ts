import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { comparableText } from '../../../trace/diff/diff-content.ts';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { readDiffSide } from '../../../trace/diff/diff-side.ts';
import { printDiff } from '../../../trace/diff/diff-words.ts';
import { diffTraces, isSame, kindOf, type CallDiff, type TraceDiff } from '../../../trace/diff/diff.ts';
import type { TraceEvent, WireEvent } from '../../../core/events/events.ts';
import { TraceFold } from '../../../trace/fold/fold.ts';
import { itAtFullSize, runs, sized } from '../../support/size.ts';

/** A call of a trace that is made for a test. */
interface Made {
  readonly agent: string;
  readonly title: string;
  readonly input: string;
  readonly output: string;
  readonly status?: 'ok' | 'error';
  readonly below?: readonly Made[];
}

/** The events of calls, with ids and times that begin anew for each trace. */
function* listEvents(calls: readonly Made[], prefix: string, parent?: string): Generator<TraceEvent> {
  for (const [index, made] of calls.entries()) {
    const call = `${parent ?? prefix}.${index}`;
    const at = index;
    const common = { trace: prefix, agent: made.agent, protocol: 'mcp', title: made.title } as const;
    yield { type: 'call', call, at, ...common, ...(parent === undefined ? {} : { parent }) };
    const wire = (direction: 'in' | 'out', text: string): WireEvent => ({
      type: 'wire',
      call,
      at,
      direction,
      bytes: { text },
    });
    yield wire('out', made.input);
    yield wire('in', made.output);
    yield { type: 'end', call, at: at + 10, status: made.status ?? 'ok' };
    yield* listEvents(made.below ?? [], prefix, call);
  }
}

/** What is different between two traces. */
async function compare(before: readonly Made[], after: readonly Made[]): Promise<TraceDiff> {
  const sides = [before, after].map((calls, index) => {
    const fold = new TraceFold();
    for (const event of listEvents(calls, `t${index}`)) fold.add(event);
    const payload = (call: string) => Promise.resolve(fold.find(call)?.wire ?? []);
    return readDiffSide({ protocols: ALL_PROTOCOLS, trees: fold.trees(), payload }, text => text);
  });
  const [one, other] = await Promise.all(sides);
  assert.ok(one && other);
  return diffTraces(one, other);
}

const ask: Made = { agent: 'weather', title: 'forecast', input: 'q1', output: 'sun' };
const book: Made = { agent: 'booker', title: 'book', input: 'q2', output: 'done' };
const pay: Made = { agent: 'bank', title: 'pay', input: 'q3', output: 'paid' };

describe('diffTraces', () => {
  const cases: readonly (readonly [string, readonly Made[], readonly Made[], readonly string[]])[] = [
    [
      'the same',
      [ask, book],
      [ask, book],
      ['  weather  forecast  10 ms', '  booker  book  10 ms', 'The traces are the same: 2 calls'],
    ],
    [
      'another request, another reply and another outcome',
      [ask],
      [{ ...ask, input: 'q', output: 'rain', status: 'error' }],
      [
        '~ weather  forecast  another request, another reply, another outcome (ok → error)  10 ms',
        '1 of 1 call differs: 1 changed',
      ],
    ],
    [
      'calls that are new and gone, where they stand',
      [ask, { ...book, below: [pay] }],
      [pay, ask, book],
      [
        '+ bank  pay  (only in the second)',
        '  weather  forecast  10 ms',
        '  booker  book  10 ms',
        '-   bank  pay  (only in the first)',
        '2 of 4 calls differ: 1 only in the second, 1 only in the first',
      ],
    ],
    [
      'a call that moved',
      [ask, book, pay],
      [book, pay, ask],
      [
        '  booker  book  10 ms',
        '  bank  pay  10 ms',
        '~ weather  forecast  moved  10 ms',
        '1 of 3 calls differs: 1 changed',
      ],
    ],
    [
      'calls of one kind by what they ask, whatever their number',
      [ask, { ...ask, input: 'other' }],
      [{ ...ask, input: 'other' }],
      [
        '- weather  forecast  (only in the first)',
        '  weather  forecast  10 ms',
        '1 of 2 calls differs: 1 only in the first',
      ],
    ],
  ];
  for (const [name, before, after, lines] of cases) {
    it(`finds ${name}`, async () => assert.deepEqual([...printDiff(await compare(before, after))], lines));
  }

  const made: fc.Arbitrary<Made> = fc.letrec<{ call: Made }>(tie => ({
    call: fc.record({
      agent: fc.constantFrom('a', 'b'),
      title: fc.constantFrom('x', 'y'),
      input: fc.constantFrom('1', '2'),
      output: fc.constantFrom('3', '4'),
      below: fc.oneof({ depthSize: 'small' }, fc.constant([]), fc.array(tie('call'), { maxLength: 3 })),
    }),
  })).call;
  const traces = fc.array(made, { maxLength: 4 });

  it('finds nothing between a trace and itself', async () => {
    await fc.assert(
      fc.asyncProperty(traces, async calls => assert.ok(isSame(await compare(calls, calls)))),
      { numRuns: runs(100) },
    );
  });

  it('shows each call of both once, and what is new one way is gone the other', async () => {
    await fc.assert(
      fc.asyncProperty(traces, traces, async (before, after) => {
        const [there, back] = [await compare(before, after), await compare(after, before)];
        const sizes = [before, after].map(
          calls => [...listEvents(calls, 't')].filter(({ type }) => type === 'call').length,
        );
        const { same, changed, added, removed } = there.counts;
        assert.deepEqual([same + changed + removed, same + changed + added], sizes);
        assert.deepEqual([added, removed], [back.counts.removed, back.counts.added]);
        assert.deepEqual(countKinds(there.roots), { ...there.counts });
      }),
      { numRuns: runs(100) },
    );
  });

  it('takes many calls side by side', async () => {
    const calls = sized(20_000);
    const row = Array.from({ length: calls }, (_, index): Made => ({ ...ask, input: String(index) }));
    const fold = new TraceFold();
    for (const event of listEvents(row, 't')) fold.add(event);
    const side = await readDiffSide(
      {
        protocols: ALL_PROTOCOLS,
        trees: fold.trees(),
        payload: call => Promise.resolve(fold.find(call)?.wire ?? []),
      },
      text => text,
    );
    assert.deepEqual(diffTraces(side, { ...side, roots: [...side.roots].reverse() }).counts, {
      same: 1,
      changed: calls - 1,
      added: 0,
      removed: 0,
    });
  });
});

function countKinds(roots: readonly CallDiff[]): Record<string, number> {
  const counts: Record<string, number> = { same: 0, changed: 0, added: 0, removed: 0 };
  const open = [...roots];
  for (let next = open.pop(); next; next = open.pop()) {
    counts[kindOf(next)] = (counts[kindOf(next)] ?? 0) + 1;
    open.push(...next.children);
  }
  return counts;
}

describe('comparableText', () => {
  const same: readonly (readonly [string, string, string])[] = [
    ['ids of messages', '{"jsonrpc":"2.0","id":7,"method":"x"}', '{"jsonrpc":"2.0","id":"abc","method":"x"}'],
    [
      'trace names, wherever they stand',
      '{"params":{"_meta":{"traceparent":"00-1-2-01"}}}',
      '{"params":{"_meta":{"traceparent":"00-3-4-01"}}}',
    ],
    [
      'ids that programs made, deep inside',
      '{"output":[{"id":"msg_0123456789abcdef","type":"message"}]}',
      '{"output":[{"id":"msg_fedcba9876543210","type":"message"}]}',
    ],
    [
      'times, in the same second or not',
      '{"created_at":1700000000,"completed_at":1700000000,"id":5}',
      '{"created_at":1700000000,"completed_at":1700000001,"id":6}',
    ],
    ['sessions of AICL', '[d:[s:session_id]:[s:one],[s:a]:[i:1]]', '[d:[s:session_id]:[s:two],[s:a]:[i:1]]'],
  ];
  for (const [name, one, other] of same)
    it(`passes over ${name}`, () => assert.equal(comparableText(one), comparableText(other)));

  const different: readonly (readonly [string, string, string])[] = [
    ['an argument called id', '{"id":1,"params":{"id":5}}', '{"id":1,"params":{"id":6}}'],
    ['which id a message names', '{"id":1,"a":{"taskId":1}}', '{"id":1,"a":{"taskId":2}}'],
    ['a text that looks like a member', '{"a":"\\"taskId\\": 1"}', '{"a":"\\"taskId\\": 2"}'],
    ['anything outside JSON', 'OK|a', 'OK|b'],
  ];
  for (const [name, one, other] of different)
    it(`sees ${name}`, () => assert.notEqual(comparableText(one), comparableText(other)));

  function assertComparable(long: string): void {
    const json = (id: string): string => `{"id":"${id}","text":"${long}","taskId":"${id}"}`;
    assert.equal(comparableText(json('a')), `{"id":‹1›,"text":"${long}","taskId":‹1›}`);
    assert.equal(comparableText(`"${long}`), `"${long}`);
    assert.equal(comparableText(`[s:session_id]:[s:${long}\\]]`), '[s:session_id]:[s:‹1›]');
  }

  it('reads long texts', () => assertComparable('x'.repeat(120_000)));

  itAtFullSize('reads texts that are longer than a regular expression passes over', () =>
    assertComparable('x'.repeat(12_000_000)),
  );

  it('changes nothing else of a text, however broken', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('{', '}', '"', ':', ',', '\\', 'a', ' ', '[', ']') }),
        text => {
          assert.equal(comparableText(text), text);
        },
      ),
    );
  });
});
