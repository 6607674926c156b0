import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { FindCounted } from '../../../client/src/features/traces/view/counted-tokens.ts';
import {
  describeCallBelow,
  describeSummary,
  describeTopCall,
  describeUsage,
  summarize,
} from '../../../client/src/features/traces/view/row-words.ts';
import { formatTimeOfDay } from '../../../client/src/base/time-of-day.ts';
import type { CallEvent, TokenUsage, TraceEvent } from '../../../core/events/events.ts';
import { TraceFold } from '../../../trace/fold/fold.ts';
import type { CallNode } from '../../../trace/fold/tree.ts';

function call(id: string, at: number, agent: string, more: Partial<CallEvent> = {}): CallEvent {
  return { type: 'call', call: id, trace: 't', at, agent, protocol: 'aicf', title: `title ${id}`, ...more };
}

function fold(events: readonly TraceEvent[]): TraceFold {
  const made = new TraceFold();
  for (const event of events) made.add(event);
  return made;
}

function find(made: TraceFold, id: string): CallNode {
  const node = made.find(id);
  assert.ok(node);
  return node;
}

const TIME = formatTimeOfDay(1000);

describe('words of trace rows', () => {
  it('sum a trace up, and count a call that was seen from both sides once', () => {
    const made = fold([
      call('a', 1000, 'planner', { session: 's1' }),
      call('b', 1010, 'booker', { parent: 'a', session: 's2' }),
      call('c', 1020, 'booker', {
        parent: 'b',
        seen: 'callee',
        names: [{ scheme: 'aio', trace: 'x', id: '1' }],
      }),
      { type: 'end', call: 'b', at: 1100, status: 'error', usage: { input: 1000, output: 40 } },
      { type: 'end', call: 'c', at: 1090, status: 'ok', usage: { input: 200 } },
      { type: 'end', call: 'a', at: 2240, status: 'ok' },
    ]);
    const [tree] = made.trees();
    assert.ok(tree);
    const summary = summarize(tree);
    assert.deepEqual(summary, {
      status: 'ok',
      agents: 2,
      calls: 2,
      duration: 1240,
      usage: { input: 1000, output: 40 },
      counted: undefined,
      sessions: ['s1', 's2'],
      depth: 1,
    });
    assert.equal(describeSummary(summary), 'ok · 1.24 s · 2 agents · 2 calls · 1,000 + 40 tokens');
    const {
      label,
      description,
      tooltip,
      accessibleLabel: said,
    } = describeTopCall(find(made, 'a'), summary, 5);
    assert.deepEqual(
      [label, description, tooltip, said],
      [
        'title a',
        `ok · 1.24 s · ${TIME} · planner · 2 agents · 2 calls · 1,000 + 40 tokens`,
        `title a, sent to planner\nok · 1.24 s\nSent at ${TIME}\nSession s1`,
        'title a, sent to planner, ok · 1.24 s, 2 agents, 2 calls, 1,000 + 40 tokens',
      ],
    );
  });

  it('say what was counted apart from what agents report', () => {
    const made = fold([
      call('a', 1000, 'planner'),
      call('b', 1010, 'booker', { parent: 'a' }),
      call('c', 1020, 'hotel', { parent: 'a' }),
      { type: 'end', call: 'b', at: 1100, status: 'ok', usage: { input: 1000, output: 40 } },
      { type: 'end', call: 'c', at: 1100, status: 'ok', usage: { input: 5 } },
      { type: 'end', call: 'a', at: 2240, status: 'ok' },
    ]);
    const [tree] = made.trees();
    assert.ok(tree);
    const counts: Readonly<Record<string, TokenUsage>> = {
      a: { input: 7, output: 1200 },
      c: { output: 3 },
      b: {},
    };
    const findCounted: FindCounted = ({ call: { call: id } }) => ({
      tokens: counts[id] ?? {},
      encoding: 'o200k_base',
    });
    const summary = summarize(tree, findCounted);
    assert.equal(
      describeSummary(summary),
      'ok · 1.24 s · 3 agents · 3 calls · 1,005 + 40 tokens · ≈ 7 + 1,203 tokens',
    );
    const rows = [
      describeTopCall(find(made, 'a'), summary, 5, findCounted(find(made, 'a'))),
      describeCallBelow(find(made, 'b'), 5, findCounted(find(made, 'b'))),
      describeCallBelow(find(made, 'c'), 5, findCounted(find(made, 'c'))),
    ];
    assert.deepEqual(
      rows.map(({ description, tooltip }) => [description, tooltip.split('\n').at(-1)]),
      [
        [
          `ok · 1.24 s · ${TIME} · planner · 3 agents · 3 calls · 1,005 + 40 tokens · ≈ 7 + 1,203 tokens`,
          '≈ 7 + 1,200 tokens, counted by o200k_base: the agent reports none',
        ],
        ['ok · 90 ms · title b · 1,000 + 40 tokens', '1,000 tokens in, 40 out, as the agent reports them'],
        [
          'ok · 80 ms · title c · 5 tokens in · ≈ 3 tokens out',
          '≈ 3 tokens out, counted by o200k_base: the agent reports none',
        ],
      ],
    );
  });

  it('say of a trace that runs that it does, without a time', () => {
    const [tree] = fold([call('a', 0, 'x'), call('b', 1, 'y')]).trees();
    assert.ok(tree);
    assert.equal(describeSummary(summarize(tree)), 'running · 2 agents · 2 calls');
  });

  it('name the loop that a call closes, and a guard that trips', () => {
    const chain = ['p', 'b', 'p', 'c', 'd', 'e', 'b'].map((agent, at) =>
      call(`${at}`, at, agent, at === 0 ? {} : { parent: `${at - 1}` }),
    );
    const made = fold(chain);
    const words = (id: string): readonly string[] => {
      const { label, description } = describeCallBelow(find(made, id), 5);
      return [label, description];
    };
    assert.deepEqual(['1', '5', '2', '6'].map(words), [
      ['b', 'running · title 1'],
      // As deep as may be.
      ['e', 'running · title 5'],
      ['↻ p', 'running · cycle: p → b → p (depth 2 of 5) · title 2'],
      ['↻ b', 'running · recursion limit reached · cycle: b → p → c → d → e → b (depth 6, over 5) · title 6'],
    ]);
    const { description, tooltip } = describeCallBelow(
      find(fold([...chain.slice(0, 6), call('6', 6, 'z', { parent: '5' })]), '6'),
      5,
    );
    assert.deepEqual(
      [description, tooltip],
      [
        'running · recursion limit reached: depth 6, over 5 · title 6',
        `title 6, sent to z by e\nrunning\nRecursion limit reached: depth 6, limit 5\nSent at ${formatTimeOfDay(6)}`,
      ],
    );
  });

  it('mark a parent that was inferred, a question back and another side', () => {
    const made = fold([
      call('a', 0, 'x', { seen: 'between' }),
      call('b', 1, 'y', { seen: 'between' }),
      call('c', 2, 'x', { parent: 'b', back: true }),
    ]);
    assert.deepEqual(
      ['b', 'c'].map(id => describeCallBelow(find(made, id), 5).description),
      ['running · title b · inferred', 'running · request to its caller: title c'],
    );
  });

  it('say of a trace that the recursion guard stopped that it did, and cut a long title', () => {
    const title = 'trigger-long-running-operation-of-many-steps';
    const chain = Array.from({ length: 7 }, (_, at) =>
      call(`${at}`, at, 'p', at === 0 ? { title } : { parent: `${at - 1}` }),
    );
    const made = fold(chain);
    const [tree] = made.trees();
    assert.ok(tree);
    const { label, description, tooltip } = describeTopCall(find(made, '0'), summarize(tree), 5);
    assert.deepEqual(
      [label, description, tooltip.split('\n')[0]],
      [
        'trigger-long-running-operat…',
        `running · recursion limit reached · ${formatTimeOfDay(0)} · p · 1 agent · 7 calls`,
        `${title}, sent to p`,
      ],
    );
  });

  it('tell tokens as the agent reports them', () => {
    assert.deepEqual(
      [undefined, {}, { input: 1200 }, { output: 3 }, { input: 0, output: 3 }].map(describeUsage),
      [undefined, undefined, '1,200 tokens in', '3 tokens out', '0 + 3 tokens'],
    );
  });
});
