import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { payloadDocumentSteps } from '../../../client/src/features/traces/timeline/payload-document.ts';
import { exportTraceText } from '../../../trace/export/export.ts';
import { TraceFold } from '../../../trace/fold/fold.ts';
import { importSteps } from '../../../trace/import/import.ts';
import { PartsReader } from '../../../protocols/reply-parts/parts-reader.ts';
import { runInSlices, SliceTurns, type SliceHost } from '../../../core/text/slices.ts';
import { sized } from '../../support/size.ts';

/** A place where each look at the clock is a slice later, so that every step that may rest does. */
class SlowPlace implements SliceHost {
  turns = 0;
  readonly #most: number;
  #time = 0;

  constructor(most = Infinity) {
    this.#most = most;
  }

  readonly now = (): number => (this.#time += 1000);
  readonly isStopped = (): boolean => this.turns >= this.#most;
  readonly yieldToQueue = (): Promise<void> => {
    this.turns++;
    return Promise.resolve();
  };
}

const COUNT = 200;
/** On one line. */
const NUMBERS = sized(100_000, 20_000);

const numbers = Array.from({ length: COUNT }, (_, index) => index);

const GRAPH = JSON.stringify({
  trace_id: 't',
  calls: numbers.map(id => ({ call_id: `c${id}`, agent: 'a', method: 'm', input: {}, output: {} })),
});

const OTLP = JSON.stringify({
  resourceSpans: [
    {
      scopeSpans: [
        {
          spans: numbers.map(id => ({
            traceId: 'ab'.repeat(16),
            spanId: (id + 1).toString(16).padStart(16, '0'),
            name: 'x',
            startTimeUnixNano: '1000000000',
          })),
        },
      ],
    },
  ],
});

const HAR = JSON.stringify({
  log: {
    entries: numbers.map(() => ({
      startedDateTime: '2026-01-01T00:00:00Z',
      time: 1,
      request: { method: 'POST', url: 'http://a/', headers: [] },
      response: { status: 200, statusText: 'OK', headers: [] },
    })),
  },
});

describe('work in slices', () => {
  for (const [name, text] of [
    ['an AIO graph', GRAPH],
    ['OTLP', OTLP],
    ['HAR', HAR],
  ] as const) {
    it(`gives others a turn at each call of ${name} that is read`, async () => {
      const place = new SlowPlace();
      const imported = await runInSlices(importSteps(text, ALL_PROTOCOLS), place);
      assert.equal(imported?.result.ok, true);
      assert.ok(place.turns >= COUNT, `${place.turns} turns`);
    });

    it(`ends between two slices when ${name} is no longer wanted`, async () => {
      const place = new SlowPlace(5);
      assert.deepEqual(
        [await runInSlices(importSteps(text, ALL_PROTOCOLS), place), place.turns],
        [undefined, 5],
      );
    });
  }

  it('gives others a turn while JSON on one line is laid out', async () => {
    const text = `[${'0,'.repeat(NUMBERS)}0]`;
    const place = new SlowPlace();
    const wire = { type: 'wire', call: 'c', at: 0, direction: 'in', bytes: { text } } as const;
    const made = await runInSlices(payloadDocumentSteps([wire], 'in'), place);
    assert.equal(made?.result?.text.split('\n').length, NUMBERS + 3);
    assert.ok(place.turns >= NUMBERS / 10_000, `${place.turns} turns`);
  });

  it('gives others a turn while a long reply is read for its parts', async () => {
    const reader = new PartsReader(ALL_PROTOCOLS.find('json-rpc'));
    const text = `{"jsonrpc":"2.0","id":1,"result":[${'0,'.repeat(NUMBERS)}0]}`;
    reader.push({ type: 'wire', call: 'c', at: 0, direction: 'in', bytes: { text } });
    const place = new SlowPlace();
    await runInSlices(reader.endSteps(), place);
    assert.equal(reader.list().parts.length, 1);
    assert.ok(place.turns >= NUMBERS / 10_000, `${place.turns} turns`);
  });

  it('gives others a turn between the pieces of an export', async () => {
    const fold = new TraceFold();
    for (const id of numbers) {
      const common = { call: `c${id}`, at: id };
      fold.add({ type: 'call', ...common, trace: 't', agent: 'a', protocol: 'aicl', title: 'x' });
    }
    const place = new SlowPlace();
    const source = { trees: fold.trees(), payload: () => Promise.resolve([]), protocols: ALL_PROTOCOLS };
    const text = await exportTraceText('csv', source, new SliceTurns(place));
    assert.equal(text, await exportTraceText('csv', source));
    assert.ok(place.turns >= COUNT, `${place.turns} turns`);
  });
});
