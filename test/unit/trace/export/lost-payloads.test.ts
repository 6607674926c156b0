import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { countUnreported } from '../../../../trace/graph/count-tokens.ts';
import { diffTraces } from '../../../../trace/diff/diff.ts';
import { readDiffSide } from '../../../../trace/diff/diff-side.ts';
import type { HeadEvent, TraceEvent, WireEvent } from '../../../../core/events/events.ts';
import { exportTrace } from '../../../../trace/export/export.ts';
import { LostPayloads } from '../../../../trace/export/lost-payloads.ts';
import { walkCalls } from '../../../../trace/export/source.ts';
import { TraceFold } from '../../../../trace/fold/fold.ts';
import { withoutPayload } from '../../../../core/events/payload.ts';
import { fitPayload, type PayloadLimiter } from '../../../../trace/payload-limiter.ts';
import { call } from '../../../support/trace-call.ts';
import { itAtFullSize } from '../../../support/size.ts';

const MIB = 2 ** 20;

/** No engine joins so many pieces to one text. They are one and the same, so that they take no memory. */
const TOO_MANY = 600;

const PIECE = 'x'.repeat(MIB);

function wire(id: string, text: string, direction: 'out' | 'in' = 'in'): WireEvent {
  return { type: 'wire', call: id, at: 2, direction, bytes: { text } };
}

const HUGE: readonly WireEvent[] = [
  wire('huge', 'CALL|f|1', 'out'),
  ...Array.from({ length: TOO_MANY }, () => wire('huge', PIECE)),
];

const EVENTS: readonly TraceEvent[] = [
  call('huge', 1),
  ...HUGE,
  { type: 'end', call: 'huge', at: 9, status: 'ok' },
  call('small', 10),
  wire('small', 'CALL|f|2', 'out'),
  wire('small', 'OK|2'),
  { type: 'end', call: 'small', at: 19, status: 'ok' },
];

type Source = ConstructorParameters<typeof LostPayloads>[0];

function open(events: readonly TraceEvent[]): Source & { readonly fold: TraceFold; taken: number } {
  const fold = new TraceFold('counted');
  const payloads = new Map<string, (HeadEvent | WireEvent)[]>();
  for (const event of events) {
    fold.add(withoutPayload(event));
    if (event.type === 'wire') payloads.set(event.call, [...(payloads.get(event.call) ?? []), event]);
  }
  return {
    fold,
    taken: 0,
    find: id => fold.find(id),
    async payload(id: string, room?: PayloadLimiter) {
      const events = fitPayload(payloads.get(id) ?? [], room);
      this.taken += events.length;
      return events;
    },
  };
}

const LONG_NOTE =
  'Only the beginning of 1 call is used: more than 268,435,456 characters were sent in one direction; an export as a trace file has all of it';

describe('payloads that are incomplete', () => {
  itAtFullSize(
    'are compared, counted and exported as far as one text can hold them, and the others as a whole',
    async () => {
      const source = open(EVENTS);
      const trees = source.fold.trees();
      const lost = new LostPayloads(source);
      const from = { protocols: ALL_PROTOCOLS, trees, payload: lost.beginning };
      const side = await readDiffSide(from, text => String(text.length));
      const contents = [...walkCalls(trees)].map(node => side.content(node));
      assert.deepEqual(contents, [
        { input: '8', output: String(256 * MIB) },
        { input: '8', output: '4' },
      ]);
      assert.deepEqual(diffTraces(side, side).counts, { same: 2, changed: 0, added: 0, removed: 0 });
      const counted: unknown[] = [];
      for await (const calls of countUnreported(walkCalls(trees), lost.beginning, async texts =>
        texts.map(() => 1),
      ))
        counted.push(...calls);
      assert.deepEqual(counted, [
        { call: 'huge', tokens: {}, uncounted: 'notKept' },
        { call: 'small', tokens: { input: 1, output: 1 } },
      ]);
      for (const format of ['aio', 'totals'] as const) {
        let length = 0;
        for await (const part of exportTrace(format, {
          ...from,
          includesContent: true,
        }))
          length += part.length;
        assert.ok(length > 0, format);
      }
      assert.deepEqual([lost.lost, lost.long, lost.notes], [[], [source.find('huge')], [LONG_NOTE]]);
    },
  );

  itAtFullSize('are whole for a reader that takes them piece by piece', async () => {
    const source = open(EVENTS);
    const lost = new LostPayloads(source);
    let length = 0;
    for await (const part of exportTrace('agenttrace', {
      protocols: ALL_PROTOCOLS,
      trees: source.fold.trees(),
      payload: lost.payload,
    }))
      length += part.length;
    assert.ok(length > TOO_MANY * MIB);
    assert.deepEqual([source.taken, lost.notes], [HUGE.length + 2, []]);
  });

  it('are reported when they are gone, also unknown ones', async () => {
    const source = open(EVENTS.slice(-4));
    const lost = new LostPayloads({ find: id => source.find(id), payload: async () => [] });
    assert.deepEqual([await lost.payload('small'), await lost.beginning('nobody')], [[], []]);
    assert.deepEqual(
      [lost.lost, lost.long, lost.notes],
      [
        [source.find('small')],
        [],
        ['Not all payloads of 1 call could be read: its file was deleted, truncated or could not be written'],
      ],
    );
  });
});
