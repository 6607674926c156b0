import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { findMatches, stepMatch } from '../../../../client/webviews/timeline/matches.ts';
import { TraceModel } from '../../../../client/webviews/timeline/model.ts';
import {
  countKnown,
  joinPayload,
  type Payload,
} from '../../../../client/webviews/timeline/details/payloads.ts';
import { Followed } from '../../../../client/webviews/timeline/followed.ts';
import type { ReportPayload } from '../../../../wire/timeline-messages.ts';
import type { CallState } from '../../../../trace/fold/call-state.ts';

function state(id: string, at: number, more: Partial<CallState> = {}): CallState {
  return { id, agent: 'weather', protocol: 'mcp', title: `tools/call ${id}`, status: 'ok', at, ...more };
}

function modelOf(...states: readonly CallState[]): TraceModel {
  const model = new TraceModel();
  model.take(states);
  return model;
}

function find(model: TraceModel, text: string): readonly string[] {
  const work = findMatches(model, text);
  for (;;) {
    const step = work.next();
    if (step.done) return [...step.value].sort();
  }
}

describe('search of the timeline', () => {
  const model = modelOf(
    state('a', 0, { notes: ['The number 14 came twice'] }),
    state('b', 1, { parent: 'a', status: 'error', code: '422', message: 'No ROOM' }),
    state('c', 2, { parent: 'b', agent: 'Booker', from: 'planner' }),
    state('d', 3, { parent: 'a', parentage: 'inferred', cycle: ['x', 'y', 'x'] }),
  );

  const searches: readonly (readonly [text: string, found: readonly string[]])[] = [
    ['tools/call c', ['c']],
    ['booker', ['c']],
    ['planner', ['c']],
    ['twice', ['a']],
    ['no room', ['b']],
    ['422', ['b']],
    ['error', ['b']],
    ['inferred', ['d']],
    ['x → y', ['d']],
    ['model context', ['a', 'b', 'c', 'd']],
    ['nowhere', []],
  ];
  for (const [text, found] of searches) it(`finds ${text}`, () => assert.deepEqual(find(model, text), found));

  it('says how far it is', () => {
    const many = modelOf(...Array.from({ length: 1200 }, (_, at) => state(`c${at}`, at)));
    assert.deepEqual([...findMatches(many, 'x')], [500 / 1200, 1000 / 1200]);
  });

  it('goes from match to match in the order of the rows, and around the end', () => {
    const found = new Set(['a', 'c']);
    const step = (from: string, direction: 'here' | 'next' | 'previous'): unknown =>
      stepMatch(model, found, from, direction);
    const [a, c] = [
      { call: 'a', rank: 1 },
      { call: 'c', rank: 2 },
    ];
    assert.deepEqual(
      ['a', 'b', 'c', 'd', 'gone'].map(from => [step(from, 'previous'), step(from, 'next')]),
      [
        [c, c],
        [a, c],
        [a, a],
        [c, a],
        [c, a],
      ],
    );
    assert.deepEqual([step('c', 'here'), stepMatch(model, new Set(), 'a', 'next')], [c, undefined]);
  });
});

describe('the payload of the selected call', () => {
  const wire = (text: string) =>
    ({ type: 'wire', call: 'a', at: 1, direction: 'in', bytes: { text } }) as const;
  const reported = { type: 'payload', call: 'a', names: [], attributes: [], leftOut: 0 } as const;

  it('is asked for when a call is selected and as it changes, one question at a time', () => {
    const asked: string[] = [];
    const payloads = new Followed<Payload>((call, known) =>
      asked.push(`${call.state.id} ${countKnown(call, known)}`),
    );
    const take = (report: ReportPayload): boolean =>
      payloads.take(report.call, known => joinPayload(report, known));
    const model = modelOf(state('a', 0, { status: 'open' }), state('b', 1));
    const follow = (id: string): void => payloads.follow([model.find(id)].filter(call => call !== undefined));
    follow('a');
    follow('a');
    model.take([state('a', 0, { status: 'open', pieces: 2 })]);
    follow('a');
    assert.deepEqual(asked, ['a 0']);
    assert.equal(take({ ...reported, from: 0, events: [wire('x'), wire('y')] }), true);
    follow('a');
    assert.equal(take({ ...reported, from: 2, events: [wire('z')] }), true);
    assert.deepEqual(payloads.of('a')?.events, [wire('x'), wire('y'), wire('z')]);
    model.take([state('a', 0, { until: 9 })]);
    follow('a');
    follow('b');
    assert.equal(payloads.of('b'), undefined);
    assert.equal(take({ ...reported, from: 0, events: [] }), false);
    assert.deepEqual(asked, ['a 0', 'a 2', 'a 0', 'b 0']);
  });
});
