import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  TokenTotals,
  type CountProgress,
  type TokenCounter,
} from '../../../client/src/features/traces/view/token-totals.ts';
import type { TraceSource } from '../../../client/src/trace/trace-source.ts';
import type { CountedCall } from '../../../trace/graph/count-tokens.ts';
import type { StoredBytes, TokenUsage, TraceEvent } from '../../../core/events/events.ts';
import { TraceFold } from '../../../trace/fold/fold.ts';
import { isFromTimeline } from '../../../wire/timeline-messages.ts';
import { REAL_COUNTER } from '../../support/token-counter.ts';
import { readEach } from '../../../core/events/payload.ts';
import { fitPayload } from '../../../trace/payload-limiter.ts';
import { call } from '../../support/trace-call.ts';
import { itAtFullSize } from '../../support/size.ts';

function wire(id: string, direction: 'out' | 'in', bytes: StoredBytes): TraceEvent {
  return { type: 'wire', call: id, at: 2, direction, bytes };
}

function end(id: string, usage?: TokenUsage): TraceEvent {
  return { type: 'end', call: id, at: 9, status: 'ok', ...(usage ? { usage } : {}) };
}

/** Complete traces, except for payloads that are no longer stored, and one that is truncated. */
function sourceOf(events: readonly TraceEvent[], lost: readonly string[] = [], cut = ''): TraceSource {
  const fold = new TraceFold();
  for (const event of events) fold.add(event);
  const payload: TraceSource['payload'] = async (id, room) => {
    const stored = lost.includes(id) ? [] : (fold.find(id)?.payload ?? []);
    return fitPayload(id === cut ? stored.slice(0, 2) : stored, room);
  };
  return {
    title: 'Told',
    onDidChange: () => ({ dispose: () => undefined }),
    trees: () => fold.trees(),
    treeOf: id => fold.treeOf(id),
    find: id => fold.find(id),
    payload,
    payloads: calls => readEach(calls, payload),
    notes: () => [],
  };
}

/** All that a count tells, to its last message. */
async function count(
  source: TraceSource,
  calls: readonly string[],
  counter: TokenCounter,
): Promise<CountProgress[]> {
  const reported: CountProgress[] = [];
  await new Promise<void>(resolve => {
    new TokenTotals(source, counter, calls, news => {
      reported.push(news);
      if (news.share === 1) resolve();
    });
  });
  return reported;
}

const HELLO = { text: '{"hello":"world"}' };

describe('a count of tokens', () => {
  it('counts what agents do not report, and tells of the rest why it does not', async () => {
    const events = [
      ...[call('none', 0), wire('none', 'out', HELLO), wire('none', 'in', { text: 'one two ' }), end('none')],
      ...[call('half', 0), wire('half', 'out', HELLO), wire('half', 'in', HELLO), end('half', { input: 7 })],
      ...[call('all', 0), wire('all', 'out', HELLO), end('all', { input: 7, output: 8 })],
      ...[call('cut', 0), wire('cut', 'out', HELLO)],
      ...[call('lost', 0), wire('lost', 'out', HELLO), wire('lost', 'in', HELLO), end('lost')],
      ...[
        call('part', 0),
        wire('part', 'out', HELLO),
        wire('part', 'in', HELLO),
        wire('part', 'in', HELLO),
        end('part'),
      ],
      ...[call('reported', 0), end('reported')],
      ...[
        call('bytes', 0),
        wire('bytes', 'out', HELLO),
        wire('bytes', 'in', { base64: '//79' }),
        end('bytes'),
      ],
    ];
    const calls = ['none', 'half', 'all', 'cut', 'lost', 'part', 'reported', 'bytes', 'forgotten'];
    const reported = await count(sourceOf(events, ['lost'], 'part'), calls, REAL_COUNTER);
    assert.deepEqual(
      reported.map(({ encoding, share, error }) => [encoding, share, error]),
      [
        ['o200k_base', 0.99, undefined],
        ['o200k_base', 1, undefined],
      ],
    );
    const counted: readonly CountedCall[] = [
      // As cut by hand: {" · hello · ":" · world · "}, and one · two · a blank.
      { call: 'none', tokens: { input: 5, output: 3 } },
      { call: 'half', tokens: { output: 5 } },
      { call: 'cut', tokens: { input: 5 } },
      { call: 'lost', tokens: {}, uncounted: 'notKept' },
      { call: 'part', tokens: {}, uncounted: 'notKept' },
      { call: 'reported', tokens: {}, uncounted: 'notKept' },
      { call: 'bytes', tokens: { input: 5 }, uncounted: 'noText' },
    ];
    assert.deepEqual(
      reported.flatMap(news => news.calls),
      counted,
    );
  });

  itAtFullSize('goes on with the others where a call is too long for one text', async () => {
    const piece = wire('huge', 'in', { text: 'x'.repeat(2 ** 20) });
    const events = [
      ...[call('huge', 0), ...Array.from({ length: 600 }, () => piece), end('huge')],
      ...[call('small', 1), wire('small', 'out', HELLO), end('small')],
    ];
    const reported = await count(sourceOf(events), ['huge', 'small'], REAL_COUNTER);
    assert.deepEqual(
      reported.flatMap(({ calls, error }) => [...calls, ...(error === undefined ? [] : [error])]),
      [
        { call: 'huge', tokens: {}, uncounted: 'notKept' },
        { call: 'small', tokens: { input: 5 } },
      ],
    );
  });

  it('goes on in parts, and ends when it is stopped', async () => {
    const ids = Array.from({ length: 1000 }, (_, at) => `c${at}`);
    const source = sourceOf(ids.flatMap(id => [call(id, 0), wire(id, 'out', { text: 'hello' }), end(id)]));
    const reported = await count(source, ids, REAL_COUNTER);
    assert.deepEqual(
      reported.map(({ calls, share }) => [calls.length, share]),
      [
        [200, 0.2],
        [200, 0.4],
        [200, 0.6],
        [200, 0.8],
        [200, 0.99],
        [0, 1],
      ],
    );
    const parts: number[] = [];
    const asked: number[] = [];
    await new Promise<void>(resolve => {
      const counter: TokenCounter = {
        encoding: () => 'o200k_base',
        count: async (texts, encoding) => {
          asked.push(texts.length);
          if (asked.length === 3) {
            totals.stop();
            setTimeout(resolve, 20);
          }
          return REAL_COUNTER.count(texts, encoding);
        },
      };
      const totals = new TokenTotals(source, counter, ids, ({ calls }) => parts.push(calls.length));
    });
    assert.deepEqual(
      [parts, asked],
      [
        [200, 200],
        [200, 200, 200],
      ],
    );
  });

  it('says why it ended where tokens cannot be counted', async () => {
    const source = sourceOf([call('a', 0), wire('a', 'out', HELLO), end('a')]);
    const counter: TokenCounter = {
      encoding: () => 'cl100k_base',
      count: () => Promise.reject(new Error('the server is gone')),
    };
    assert.deepEqual(await count(source, ['a'], counter), [
      { encoding: 'cl100k_base', calls: [], share: 1, error: 'the server is gone' },
    ]);
  });

  it('is requested in messages of their shape', () => {
    const asks = [
      { type: 'countTokens', count: 1, calls: ['a'] },
      { type: 'countTokens', count: 1, calls: [7] },
      { type: 'countTokens', calls: [] },
    ];
    assert.deepEqual(asks.map(isFromTimeline), [true, false, false]);
  });
});
