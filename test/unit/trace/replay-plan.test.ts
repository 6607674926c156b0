import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { CallEvent, TraceEvent } from '../../../core/events/events.ts';
import { TraceFold } from '../../../trace/fold/fold.ts';
import { planReplay } from '../../../trace/replay/replay.ts';

const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}';

/** A call of MCP, and what was sent for it. */
function sent(id: string, text: string, more: Partial<CallEvent> = {}): readonly TraceEvent[] {
  const call = { type: 'call', call: id, trace: 't', at: 0, agent: 'a', protocol: 'mcp', title: id } as const;
  const common = { call: id, at: 1, direction: 'out' } as const;
  return [
    { ...call, ...more },
    { ...common, type: 'head', line: 'POST /', headers: [] },
    { ...common, type: 'wire', bytes: { text } },
  ];
}

type ReadPayload = Parameters<typeof planReplay>[1];

/**
 * What is planned for a trace: the ids of the calls that are sent, those that are refused, and how many agents make themselves.
 * Of calls in `stored` so many events are still there.
 */
async function planOf(
  events: readonly (readonly TraceEvent[])[],
  stored: Readonly<Record<string, number>> = {},
): Promise<unknown> {
  const fold = new TraceFold();
  for (const event of events.flat()) fold.add(event);
  const payload: ReadPayload = async call => fold.find(call)?.payload.slice(0, stored[call]) ?? [];
  const { requests, refused, made } = await planReplay(fold.trees(), payload, {
    newId: () => 'new',
    protocols: ALL_PROTOCOLS,
  });
  return [
    requests.map(({ recorded }) => recorded.call.call),
    refused.map(({ recorded }) => recorded.call.call),
    made,
  ];
}

describe('planReplay', () => {
  const rows: readonly (readonly [
    name: string,
    events: readonly (readonly TraceEvent[])[],
    plan: unknown,
  ])[] = [
    [
      'sends the topmost calls; those below them are made by their agents',
      [sent('one', CALL), sent('below', CALL, { parent: 'one', at: 1 }), sent('two', CALL, { at: 2 })],
      [['one', 'two'], [], 1],
    ],
    [
      'leaves out what a connection says by itself, with what stands below it',
      [
        sent('greeting', '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}'),
        sent('below', CALL, { parent: 'greeting', at: 1 }),
        sent('one', CALL, { at: 2 }),
      ],
      [['one'], [], 0],
    ],
    [
      'leaves out what an agent asks of its caller, and the answer to that',
      [
        sent('question', CALL, { back: true }),
        sent('answer', CALL, { parent: 'question', at: 1, back: true }),
        sent('one', CALL, { at: 2 }),
      ],
      [['one'], [], 0],
    ],
    [
      'looks below a call that was only told of, and refuses what cannot be sent',
      [
        sent('reported', '').slice(0, 1),
        sent('one', CALL, { parent: 'reported', at: 1 }),
        sent('page', 'GET', { at: 2, protocol: 'other' }),
      ],
      [['one'], ['page'], 0],
    ],
  ];
  for (const [name, events, plan] of rows) it(name, async () => assert.deepEqual(await planOf(events), plan));

  it('refuses what can no longer be read completely, and sends nothing below it', async () => {
    const [begun, head, wire] = sent('cut', CALL.slice(0, 20));
    assert.ok(begun && head && wire?.type === 'wire');
    const rest: TraceEvent = { ...wire, bytes: { text: CALL.slice(20) } };
    const events = [
      [begun, head, wire, rest],
      sent('gone', CALL, { at: 2 }),
      sent('below', CALL, { parent: 'gone', at: 3 }),
    ];
    assert.deepEqual(await planOf(events), [['cut', 'gone'], [], 1]);
    assert.deepEqual(await planOf(events, { cut: 2, gone: 0 }), [[], ['cut', 'gone'], 1]);
  });
});
