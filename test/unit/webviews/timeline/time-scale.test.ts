import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { barOf } from '../../../../client/webviews/timeline/waterfall/bars.ts';
import { countRunning } from '../../../../client/webviews/timeline/waterfall/minimap.ts';
import { TraceModel } from '../../../../client/webviews/timeline/model.ts';
import {
  listTicks,
  panSpan,
  axisEnd,
  spanOf,
  spanShowing,
  timeAt,
  zoomSpan,
  type TimeSpan,
} from '../../../../client/webviews/timeline/waterfall/time-scale.ts';
import { Zoom } from '../../../../client/webviews/timeline/waterfall/zoom.ts';
import type { CallState } from '../../../../trace/fold/call-state.ts';

const ALL: TimeSpan = { from: 1000, to: 2000 };

function modelOf(...states: readonly Partial<CallState>[]): TraceModel {
  const model = new TraceModel();
  const usual = { agent: 'a', protocol: 'mcp', title: 't', status: 'ok', at: 0 } as const;
  model.take(states.map((state, at) => ({ ...usual, id: `c${at}`, ...state })));
  return model;
}

describe('time scale', () => {
  const axes: readonly (readonly [from: number, to: number, width: number, labels: readonly string[]])[] = [
    [0, 1000, 400, ['0', '200 ms', '400 ms', '600 ms', '800 ms', '1.0 s']],
    [0, 1240, 250, ['0', '500 ms', '1.0 s']],
    [310.2, 310.9, 400, ['310.2 ms', '310.4 ms', '310.6 ms', '310.8 ms']],
    [2000, 2010, 299, ['2.000 s', '2.005 s', '2.010 s']],
    [0, 240_000, 300, ['0', '1 min', '2 min', '3 min', '4 min']],
    [0, 10_800_000, 300, ['0', '1 h', '2 h', '3 h']],
    [
      3_725_000,
      3_745_000,
      300,
      ['1 h 2 min 5 s', '1 h 2 min 10 s', '1 h 2 min 15 s', '1 h 2 min 20 s', '1 h 2 min 25 s'],
    ],
    [0, 3 * 86_400_000, 300, ['0', '1 d', '2 d', '3 d']],
    [0, 1000 * 86_400_000, 299, ['0', '250 d', '500 d', '750 d', '1000 d']],
    [0, 1000, 299, ['0', '250 ms', '500 ms', '750 ms', '1.00 s']],
    [0, 1e300, 160, ['0', '1.00e+292 d']],
    [0, 1, 0, ['0', '1 ms']],
  ];
  for (const [from, to, width, labels] of axes)
    it(`labels ${from} to ${to} in ${width} pixels`, () => {
      const ticks = listTicks({ from: 5000 + from, to: 5000 + to }, 5000, width);
      assert.deepEqual(
        ticks.map(({ label }) => label),
        labels,
      );
    });

  it('writes no more labels than there is room for, in order and apart, wherever it looks', () => {
    const number = fc.oneof(
      fc.double({ noNaN: true, min: -1e15, max: 1e15 }),
      fc.integer({ min: -1e9, max: 1e9 }).map(tenth => tenth / 10),
    );
    fc.assert(
      fc.property(number, number, fc.integer({ min: 0, max: 4000 }), (one, other, width) => {
        const span = spanOf(Math.min(one, other), Math.max(one, other));
        const ticks = listTicks(span, one, width);
        assert.ok(ticks.length <= Math.max(1, Math.floor(width / 60)) + 1);
        for (const [at, tick] of ticks.entries()) assert.ok(at === 0 || tick.at > (ticks[at - 1]?.at ?? 0));
      }),
      // Here numbers stand further apart than the labels would.
      { examples: [[999_999_999_999_998.5, 999_999_999_999_999.9, 1199]] },
    );
  });

  it('zooms at a place that stays where it is', () => {
    const near = zoomSpan(ALL, ALL, 0.25, 0.6);
    assert.deepEqual(near, { from: 1450, to: 1700 });
    assert.equal(timeAt(near, 0.6), 1600);
    assert.deepEqual(zoomSpan(near, ALL, 100, 0.5), ALL);
    assert.deepEqual(zoomSpan({ from: 1000, to: 1200 }, ALL, 2, 1), { from: 1000, to: 1400 });
  });

  it('moves no further than all goes', () => {
    assert.deepEqual(panSpan({ from: 1100, to: 1300 }, ALL, 0.5), { from: 1200, to: 1400 });
    assert.deepEqual(panSpan({ from: 1100, to: 1300 }, ALL, -2), { from: 1000, to: 1200 });
    assert.deepEqual(spanShowing({ from: 1100, to: 1300 }, ALL, { from: 1290, to: 1900 }), {
      from: 1100,
      to: 1300,
    });
    assert.deepEqual(spanShowing({ from: 1100, to: 1300 }, ALL, { from: 1600, to: 1601 }), {
      from: 1580,
      to: 1780,
    });
  });

  it('takes times of any size', () => {
    for (const [start, end] of [
      [NaN, NaN],
      [-1e308, 1e308],
      [5, 5],
      [5, 1],
    ] as const) {
      const { from, to } = spanOf(start, end);
      assert.ok(Number.isFinite(to - from) && to > from, `${start} ${end}`);
    }
  });

  it('gives a trace that runs room ahead, in steps', () => {
    const ends = [1, 90, 100, 140, 141, 190, 280, 470, 710, 960].map(length => axisEnd(1000, 1000 + length));
    assert.deepEqual(ends, [1001.5, 1120, 1150, 1150, 1150, 1200, 1300, 1500, 1750, 2200]);
    assert.equal(axisEnd(5, 5), 5);
  });

  it('keeps what is seen while the trace grows, once somebody zoomed', () => {
    const zoom = new Zoom();
    const model = modelOf({ at: 0, until: 100 });
    zoom.follow(model);
    zoom.showShares(0.25, 0.5);
    model.take([{ id: 'x', agent: 'a', protocol: 'mcp', title: 't', status: 'ok', at: 50, until: 400 }]);
    zoom.follow(model);
    assert.deepEqual(
      [zoom.span, zoom.all, zoom.isZoomed],
      [{ from: 25, to: 50 }, { from: 0, to: 400 }, true],
    );
    zoom.show({ from: 300, to: 310 });
    assert.deepEqual(zoom.span, { from: 297.5, to: 322.5 });
    zoom.center(0);
    assert.deepEqual(zoom.span, { from: 0, to: 25 });
    zoom.zoom(100, 0);
    assert.equal(zoom.isZoomed, false);
  });

  it('lays a bar out: waiting, receiving, and pieces that can be distinguished', () => {
    const model = modelOf({ at: 0, until: 100, first: 40, ticks: [40, 60, 60.5, 80] });
    const [call] = model.roots;
    assert.ok(call);
    assert.deepEqual(barOf(model, call, { from: 0, to: 200 }, 400), {
      waiting: { from: 0, to: 80 },
      receiving: { from: 80, to: 200 },
      ticks: [80, 120, 160],
    });
    assert.deepEqual(barOf(model, call, { from: 70, to: 90 }, 400), {
      waiting: { from: -8, to: -8 },
      receiving: { from: -8, to: 408 },
      ticks: [200],
    });
  });

  it('draws a call without a reply as waiting, and none so short that it is not seen', () => {
    const model = modelOf({ at: 50, until: 50 });
    const [call] = model.roots;
    assert.ok(call);
    assert.deepEqual(barOf(model, call, { from: 0, to: 100 }, 100), {
      waiting: { from: 50, to: 52 },
      receiving: undefined,
      ticks: [],
    });
  });

  it('counts how many calls run at each moment, and where one failed or was cut', () => {
    const model = modelOf(
      { at: 0, until: 9, status: 'incomplete' },
      { at: 2, until: 5, status: 'error' },
      { at: 4, until: 5 },
    );
    const { running, failed, most } = countRunning(model, { from: 0, to: 10 }, 5);
    assert.deepEqual([[...running.subarray(0, 5)], [...failed], most], [[1, 2, 3, 1, 1], [0, 0, 1, 0, 1], 3]);
  });
});
