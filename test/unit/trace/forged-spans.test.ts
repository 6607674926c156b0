import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { CallEvent, TraceEvent } from '../../../core/events/events.ts';
import { importOtlp } from '../../../trace/import/otlp-json.ts';
import type { CallNode, TraceTree } from '../../../trace/fold/tree.ts';
import { outline, pictureOne } from './support/picture.ts';
import { foldTrace } from '../../support/at-once.ts';
import { runs } from '../../support/size.ts';

const MINUTE = 60_000;
const [A, B] = ['a'.repeat(32), 'b'.repeat(32)];
const OWN = ['1', '2', '3', '4', '5'].map(digit => digit.repeat(16));
const OTHERS = ['d', 'e', 'f'].map(digit => digit.repeat(16));

const times = fc.integer({ min: 0, max: 60 }).map(minutes => minutes * MINUTE);

/** Calls that were recorded: with parents by id and by `traceparent`, seen anywhere, ended or not. */
const observed: fc.Arbitrary<readonly TraceEvent[]> = fc
  .tuple(
    ...OWN.map(id =>
      fc.record({
        id: fc.constant(id),
        at: times,
        took: fc.option(times, { nil: undefined }),
        trace: fc.constantFrom(A, B),
        agent: fc.constantFrom('planner', 'coder'),
        parent: fc.constantFrom(undefined, undefined, ...OWN),
        carried: fc.constantFrom(undefined, ...OWN),
        seen: fc.constantFrom(undefined, 'between' as const),
      }),
    ),
  )
  .map(calls =>
    calls.flatMap(({ id, at, took, trace, agent, parent, carried, seen }): readonly TraceEvent[] => [
      {
        type: 'call',
        call: id,
        trace,
        at,
        agent,
        protocol: 'mcp',
        title: 'ask',
        ...(parent === undefined ? {} : { parent }),
        ...(carried === undefined ? {} : { names: [{ scheme: 'w3c', trace, parent: carried }] }),
        ...(seen === undefined ? {} : { seen }),
      },
      { type: 'note', call: id, at, seq: 1, text: 'heard' },
      { type: 'wire', call: id, at, seq: 2, direction: 'out', bytes: { text: 'x' } },
      ...(took === undefined
        ? []
        : [{ type: 'end', call: id, at: at + took, seq: 3, status: 'ok' } as const]),
    ]),
  );

/** What anybody may send to the receiver, most of it with ids of those calls. */
const forged: fc.Arbitrary<readonly TraceEvent[]> = fc
  .array(
    fc.record({
      traceId: fc.constantFrom(A, B, 'c'.repeat(32)),
      spanId: fc.constantFrom(...OWN, ...OWN, ...OTHERS),
      parentSpanId: fc.constantFrom('', ...OWN, ...OTHERS),
      name: fc.constantFrom('ask', 'forged'),
      kind: fc.integer({ min: 0, max: 5 }),
      startTimeUnixNano: times.map(time => `${time}000000`),
      endTimeUnixNano: fc.option(
        times.map(time => `${time}000000`),
        { nil: '0' },
      ),
      status: fc.constantFrom({}, { code: 2, message: 'forged' }),
      attributes: fc.constantFrom(
        [],
        [{ key: 'parley.call', value: { stringValue: `{"call":{"call":"${OWN[0] ?? ''}"}}` } }],
        [{ key: 'gen_ai.usage.input_tokens', value: { intValue: '7' } }],
      ),
      events: fc.constantFrom([], [{ name: 'forged', timeUnixNano: '1' }]),
    }),
    { maxLength: 8 },
  )
  .map(spans => {
    const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'planner' } }] };
    const imported = importOtlp([{ resourceSpans: [{ resource, scopeSpans: [{ spans }] }] }], 'program');
    return imported.ok ? imported.events : [];
  });

/**
 * What trees say of the recorded calls: each with those below it, and which of them are in one trace. Of traces that use
 * one id the second is `ID/2`, however the first began.
 */
function ownOf(trees: readonly TraceTree[], own: ReadonlySet<string>): unknown {
  const calls = new Map<string, object>();
  const traces: string[] = [];
  for (const { trace, roots } of trees) {
    const members: string[] = [];
    const open: CallNode[] = [...roots];
    for (let node = open.pop(); node; node = open.pop()) {
      open.push(...node.children);
      const id = node.call.call;
      if (!own.has(id)) continue;
      members.push(id);
      const children = node.children.map(child => child.call.call).filter(child => own.has(child));
      calls.set(id, { ...pictureOne(node), children });
    }
    if (members.length > 0) traces.push([trace.replace(/\/\d+$/, ''), ...members.sort()].join(' '));
  }
  return { calls: [...calls].sort(), traces: traces.sort() };
}

function idsOf(events: readonly TraceEvent[]): ReadonlySet<string> {
  return new Set(events.flatMap(event => (event.type === 'call' ? [event.call] : [])));
}

describe('spans that come to the receiver', () => {
  it('change nothing of recorded calls, whatever their ids and whenever they arrive', () => {
    const mixed = fc.tuple(observed, forged).chain(([own, reported]) =>
      fc.record({
        own: fc.constant(own),
        all: fc.shuffledSubarray([...own, ...reported], { minLength: own.length + reported.length }),
      }),
    );
    fc.assert(
      fc.property(mixed, ({ own, all }) => {
        const ids = idsOf(own);
        assert.deepEqual(ownOf(foldTrace(all), ids), ownOf(foldTrace(own), ids));
      }),
      { numRuns: runs(2_000) },
    );
  });

  const [call = '', other = ''] = OWN;
  const begun: CallEvent = {
    type: 'call',
    call,
    trace: A,
    at: 0,
    agent: 'planner',
    protocol: 'mcp',
    title: 'ask',
  };
  const report = (span: object): readonly TraceEvent[] => {
    const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'planner' } }] };
    const whole = { traceId: A, spanId: call, kind: 2, name: 'POST', startTimeUnixNano: '1000000', ...span };
    const imported = importOtlp(
      [{ resourceSpans: [{ resource, scopeSpans: [{ spans: [whole] }] }] }],
      'program',
    );
    return imported.ok ? imported.events : [];
  };

  it('stand below the call whose id they have, as what its agent saw of it, in its trace alone', () => {
    assert.deepEqual(
      [
        outline(foldTrace([begun, ...report({})])),
        outline(foldTrace([...report({}), begun])),
        outline(foldTrace([begun, ...report({ traceId: B })])),
      ],
      [
        `${A}: ${call}(=reported:${call})`,
        `${A}: ${call}(=reported:${call})`,
        `${A}: ${call} | ${B}: reported:${call}`,
      ],
    );
  });

  it('are below the call that they name in their trace, recorded ones before reported ones', () => {
    const child = report({ spanId: OTHERS[0], parentSpanId: call });
    const reported = report({ parentSpanId: other });
    const missing = `{Its parent '${other}' is not in the trace}`;
    assert.deepEqual(
      [
        outline(foldTrace([...child, ...reported])),
        outline(foldTrace([...child, ...reported, begun])),
        outline(foldTrace([...child, { ...begun, trace: B }])),
      ],
      [
        `${A}: reported:${call}${missing}(=reported:${OTHERS[0] ?? ''})`,
        `${A}: ${call}(=reported:${call},=reported:${OTHERS[0] ?? ''})`,
        `${B}: ${call} | ${A}: reported:${OTHERS[0] ?? ''}{Its parent '${call}' is not in the trace}`,
      ],
    );
  });

  it('are not above the very call that they name as their parent, whatever their clock says', () => {
    const names: CallEvent['names'] = [{ scheme: 'w3c', trace: A, depth: 3 }];
    const late: CallEvent = { ...begun, at: 9, trace: B, names };
    const early = report({ traceId: B, spanId: OTHERS[0], parentSpanId: call, startTimeUnixNano: '1' });
    const below: CallEvent = {
      ...begun,
      call: other,
      at: 9,
      parent: OTHERS[0] ?? '',
      names: [{ scheme: 'w3c', trace: A, depth: 2 }],
    };
    assert.equal(
      outline(foldTrace([late, ...early, below])),
      `${B}: ${call}^3(=reported:${OTHERS[0] ?? ''}(${other}^2<planner>planner>{It carries the depth 2 and is at depth 4}))`,
    );
  });

  it('leave an id to the recorded call, also if a file has both under one', () => {
    const reported: CallEvent = { ...begun, at: -1, agent: 'forged', reported: true };
    const sides = [
      [begun, reported],
      [reported, begun],
    ].map(events => foldTrace(events)[0]?.roots[0]);
    assert.deepEqual(
      sides.map(side => [side?.call, side?.notes]),
      [1, 2].map(() => [begun, ['Another call has this id; it is left out']]),
    );
  });

  it('are not counted if a trace id is used again: recorded calls determine when the trace ended', () => {
    const ended: TraceEvent = { type: 'end', call, at: 1, status: 'ok' };
    const later: CallEvent = { ...begun, call: other, at: 11 * MINUTE };
    const between = report({ spanId: OTHERS[0], startTimeUnixNano: `${9 * MINUTE}000000` });
    const before = report({ spanId: OTHERS[0], startTimeUnixNano: '1', endTimeUnixNano: '2' });
    const again = '{Its trace id was used before; this is another trace: id used again}';
    assert.deepEqual(
      [outline(foldTrace([begun, ended, ...between, later])), outline(foldTrace([...before, later]))],
      [
        `${A}: ${call} reported:${OTHERS[0] ?? ''} | ${A}/2: ${other}${again}`,
        `${A}: reported:${OTHERS[0] ?? ''} ${other}`,
      ],
    );
  });
});
