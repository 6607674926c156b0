import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { buildWaterfall } from '../../../client/webviews/timeline/rows.ts';
import { WireReader } from '../../../client/webviews/timeline/wire-text.ts';
import { keepBytes } from '../../../agents/src/kept-bytes.ts';
import type { TraceEvent, WireEvent } from '../../../protocol/src/trace/events.ts';
import { TraceFold } from '../../../protocol/src/trace/fold.ts';
import { printHex } from '../../../protocol/src/trace/hex.ts';
import { call } from '../../support/trace-call.ts';

function wire(bytes: Uint8Array, at = 0): WireEvent {
  return { type: 'wire', call: 'c', at, direction: 'in', bytes: keepBytes(bytes) };
}

describe('timeline', () => {
  it('lays calls out under their parents, in shares of the whole', () => {
    const fold = new TraceFold();
    const events: TraceEvent[] = [
      call('plan', 1000),
      call('book', 1400, 'plan'),
      call('weather', 1100, 'plan'),
      { type: 'head', call: 'weather', at: 1200, direction: 'in', line: '200 OK', headers: [] },
      { type: 'end', call: 'weather', at: 1300, status: 'ok' },
      { type: 'end', call: 'book', at: 1500, status: 'error', code: '422', message: 'No room' },
      { type: 'end', call: 'plan', at: 2000, status: 'ok' },
    ];
    for (const event of events) fold.add(event);
    const [tree = { trace: '', roots: [] }] = fold.trees();
    const common = { agent: 'toolbox' } as const;
    assert.deepEqual(buildWaterfall(tree), {
      summary: '3 calls · 1.00 s',
      axis: ['0 ms', '500 ms', '1.00 s'],
      rows: [
        {
          ...common,
          call: 'plan',
          parent: undefined,
          depth: 0,
          title: 'plan',
          status: 'ok',
          outcome: 'ok · 1.00 s',
          start: 0,
          waiting: 1,
          receiving: 0,
        },
        {
          ...common,
          call: 'weather',
          parent: 'plan',
          depth: 1,
          title: 'weather',
          status: 'ok',
          outcome: 'ok · 200 ms',
          start: 0.1,
          waiting: 0.1,
          receiving: 0.1,
        },
        {
          ...common,
          call: 'book',
          parent: 'plan',
          depth: 1,
          title: 'book',
          status: 'error',
          outcome: 'error 422 · 100 ms',
          start: 0.4,
          waiting: 0.1,
          receiving: 0,
        },
      ],
    });
  });

  it('draws a call that runs up to the last thing known of it', () => {
    const fold = new TraceFold();
    fold.add(call('slow', 1000));
    fold.add({ type: 'wire', call: 'slow', at: 3000, direction: 'in', bytes: { text: 'x' } });
    const [tree = { trace: '', roots: [] }] = fold.trees();
    const [row] = buildWaterfall(tree).rows;
    assert.deepEqual([row?.outcome, row?.start, row?.waiting, row?.receiving], ['running', 0, 1, 0]);
  });

  it('shows nothing of an empty trace', () => {
    assert.deepEqual(buildWaterfall({ trace: 't', roots: [] }), { summary: '0 calls', axis: [], rows: [] });
  });
});

describe('wire text', () => {
  const reader = new WireReader();

  it('joins a character that two chunks share', () => {
    const bytes = new TextEncoder().encode('a€b');
    const pieces = [wire(bytes.subarray(0, 2)), wire(bytes.subarray(2))];
    assert.deepEqual(reader.read(pieces), { kind: 'text', text: 'a€b', bytes: 5, hidden: 0 });
  });

  it('waits for the rest of a character that is cut', () => {
    const bytes = new TextEncoder().encode('a€');
    assert.deepEqual(
      [1, 2, 3, 4].map(length => reader.read([wire(bytes.subarray(0, length))])),
      [
        { kind: 'text', text: 'a', bytes: 1, hidden: 0 },
        { kind: 'text', text: 'a', bytes: 2, hidden: 1 },
        { kind: 'text', text: 'a', bytes: 3, hidden: 2 },
        { kind: 'text', text: 'a€', bytes: 4, hidden: 0 },
      ],
    );
  });

  it('dumps what is not UTF-8', () => {
    const bytes = Uint8Array.from([0x4f, 0x4b, 0x7c, 0xff, 0x00]);
    assert.deepEqual(reader.read([wire(bytes)]), {
      kind: 'hex',
      text: '00000000  4f 4b 7c ff 00                                   OK|..',
      bytes: 5,
      hidden: 0,
    });
  });

  it('shows the beginning of what is long, and says how much is hidden', () => {
    const text = reader.read([wire(new Uint8Array(300_000).fill(0x61))]);
    const hex = reader.read([wire(new Uint8Array(300_000).fill(0xff))]);
    assert.deepEqual(
      [
        text.kind,
        text.text.length,
        text.bytes,
        text.hidden,
        hex.kind,
        hex.text.split('\n').length,
        hex.hidden,
      ],
      ['text', 262_144, 300_000, 37_856, 'hex', 1024, 283_616],
    );
  });

  it('dumps sixteen bytes a line', () => {
    const bytes = Uint8Array.from({ length: 17 }, (_, at) => at + 0x30);
    assert.equal(
      printHex(bytes),
      '00000000  30 31 32 33 34 35 36 37 38 39 3a 3b 3c 3d 3e 3f  0123456789:;<=>?\n' +
        `00000010  40${' '.repeat(45)}  @`,
    );
  });
});
