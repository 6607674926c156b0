import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { PayloadSearch } from '../../../client/src/features/traces/timeline/payload-search.ts';
import type { TraceSource } from '../../../client/src/trace/trace-source.ts';
import type { TraceEvent, WireEvent } from '../../../core/events/events.ts';
import { TraceFold } from '../../../trace/fold/fold.ts';
import { readEach } from '../../../core/events/payload.ts';
import { sized } from '../../support/size.ts';
import { call } from '../../support/trace-call.ts';

const CALLS = sized(3_000, 300);
const THIRD = CALLS / 3;

/** Calls with much on their wire; three of them say something that the others do not. */
function* listEvents(): Generator<TraceEvent> {
  for (let at = 0; at < CALLS; at++) {
    const text = `${'nothing to see '.repeat(sized(1_500, 300))}${at % THIRD === 0 ? 'Needle' : ''}`;
    yield call(`${at}`, at);
    yield { type: 'wire', call: `${at}`, at, direction: 'in', bytes: { text } };
  }
}

function sourceOf(fold: TraceFold): TraceSource {
  const payload: TraceSource['payload'] = async id => fold.find(id)?.payload ?? [];
  return {
    title: 'test',
    onDidChange: () => ({ dispose: () => undefined }),
    trees: () => fold.trees(),
    treeOf: id => fold.treeOf(id),
    find: id => fold.find(id),
    payload,
    payloads: calls => readEach(calls, payload),
    notes: () => [],
  };
}

describe('a search of payloads', () => {
  it('tells each call that is found once, and how far it is once a percent', async () => {
    const fold = new TraceFold();
    for (const event of listEvents()) fold.add(event);
    const ids = Array.from({ length: CALLS }, (_, at) => `${at}`);
    const reported: { readonly calls: readonly string[]; readonly share: number }[] = [];
    await new Promise<void>(resolve => {
      new PayloadSearch(sourceOf(fold), ids, 'needle', (calls, share) => {
        reported.push({ calls, share });
        if (share === 1) resolve();
      });
    });
    assert.deepEqual(
      reported.flatMap(({ calls }) => calls),
      ['0', `${THIRD}`, `${2 * THIRD}`],
    );
    const percents = reported.map(({ share }) => 100 * share);
    assert.deepEqual(
      percents.filter(percent => Math.abs(percent - Math.round(percent)) > 1e-9),
      [],
    );
    // Where nothing was found, another percent is the news.
    const quiet = reported.filter(({ calls }) => calls.length === 0).map(({ share }) => share);
    assert.equal(new Set(quiet).size, quiet.length);
  });

  it('finds a text across the chunks of a long payload, and what is added while it runs', async () => {
    const fold = new TraceFold();
    for (const id of ['a', 'b']) fold.add(call(id, 1));
    const wire = (id: string, text: string): WireEvent => {
      return { type: 'wire', call: id, at: 2, direction: 'in', bytes: { text } };
    };
    const passes: (readonly string[])[] = [];
    const source: TraceSource = {
      ...sourceOf(fold),
      async *payloads(calls) {
        passes.push(calls);
        for (const id of calls) {
          yield { call: id, events: [wire(id, 'x Nee')], isLast: false };
          yield { call: id, events: [wire(id, 'dle y')], isLast: true };
        }
      },
    };
    const found: string[] = [];
    await new Promise<void>(resolve => {
      const search = new PayloadSearch(source, ['a'], 'needle', (calls, share) => {
        found.push(...calls);
        if (share === 1) resolve();
      });
      search.add(['b']);
    });
    assert.deepEqual(
      [found, passes],
      [
        ['a', 'b'],
        [['a'], ['b']],
      ],
    );
  });

  it('counts the calls of which not all could be looked at, until it can', async () => {
    const fold = new TraceFold();
    const events: readonly TraceEvent[] = ['whole', 'cut', 'gone', 'silent'].flatMap((id): TraceEvent[] => [
      call(id, 1),
      { type: 'wire', call: id, at: 2, direction: 'out', bytes: { text: id === 'silent' ? '' : 'Grüße' } },
      { type: 'wire', call: id, at: 3, direction: 'in', bytes: { text: id === 'silent' ? '' : 'needle' } },
      { type: 'end', call: id, at: 4, status: 'ok' },
    ]);
    for (const event of [...events, call('open', 5)]) fold.add(event);
    // It grows while it is read: what is new is looked at next.
    fold.add({ type: 'wire', call: 'open', at: 6, direction: 'in', bytes: { text: 'more' } });
    const lost = new Set(['cut', 'gone', 'open']);
    const source: TraceSource = {
      ...sourceOf(fold),
      async *payloads(calls) {
        for (const id of calls) {
          const all = fold.find(id)?.payload ?? [];
          for (const event of lost.has(id) ? all.slice(0, id === 'cut' ? 1 : 0) : all)
            yield { call: id, events: [event], isLast: false };
          yield { call: id, events: [], isLast: true };
        }
      },
    };
    let found: string[] = [];
    let missed = 0;
    let { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const search = new PayloadSearch(
      source,
      ['whole', 'cut', 'gone', 'silent', 'open', 'nobody'],
      'needle',
      (calls, share, count) => {
        found.push(...calls);
        missed = count;
        if (share === 1) end();
      },
    );
    await ended;
    assert.deepEqual([found, missed], [['whole'], 2]);
    found = [];
    lost.clear();
    ({ promise: ended, resolve: end } = Promise.withResolvers<void>());
    search.add(['cut', 'gone']);
    await ended;
    assert.deepEqual([found, missed], [['cut', 'gone'], 0]);
  });

  it('reads no further when it is stopped', async () => {
    const fold = new TraceFold();
    fold.add(call('a', 1));
    const read: string[] = [];
    const { promise: closed, resolve: close } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const source: TraceSource = {
      ...sourceOf(fold),
      async *payloads(calls) {
        try {
          for (const id of calls) {
            read.push(id);
            begin();
            await new Promise(resolve => setTimeout(resolve));
            yield { call: id, events: [], isLast: true };
          }
        } finally {
          close();
        }
      },
    };
    const reported: unknown[] = [];
    const search = new PayloadSearch(source, ['a', 'b', 'c'], 'needle', calls => reported.push(calls));
    await begun;
    search.stop();
    await closed;
    assert.deepEqual([read, reported], [['a'], []]);
  });
});
