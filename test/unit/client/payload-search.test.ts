import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { PayloadSearch } from '../../../client/src/trace/payload-search.ts';
import type { TraceSource } from '../../../client/src/trace/trace-source.ts';
import type { TraceEvent } from '../../../protocol/src/trace/events.ts';
import { TraceFold } from '../../../protocol/src/trace/fold.ts';
import { call } from '../../support/trace-call.ts';

const CALLS = 3_000;

/** Calls with much on their wire; a thousandth of them say something that the others do not. */
function* listEvents(): Generator<TraceEvent> {
  for (let at = 0; at < CALLS; at++) {
    const text = `${'nothing to see '.repeat(1_500)}${at % 1000 === 0 ? 'Needle' : ''}`;
    yield call(`${at}`, at);
    yield { type: 'wire', call: `${at}`, at, direction: 'in', bytes: { text } };
  }
}

function sourceOf(fold: TraceFold): TraceSource {
  return {
    title: 'test',
    onDidChange: () => ({ dispose: () => undefined }),
    trees: () => fold.trees(),
    treeOf: id => fold.treeOf(id),
    find: id => fold.find(id),
    payload: id => Promise.resolve(fold.find(id)?.payload ?? []),
    notes: () => [],
  };
}

describe('a search of payloads', () => {
  it('tells each call that is found once, and how far it is once a percent', async () => {
    const fold = new TraceFold();
    for (const event of listEvents()) fold.add(event);
    const ids = Array.from({ length: CALLS }, (_, at) => `${at}`);
    const told: { readonly calls: readonly string[]; readonly share: number }[] = [];
    await new Promise<void>(resolve => {
      new PayloadSearch(sourceOf(fold), ids, 'needle', (calls, share) => {
        told.push({ calls, share });
        if (share === 1) resolve();
      });
    });
    assert.deepEqual(
      told.flatMap(({ calls }) => calls),
      ['0', '1000', '2000'],
    );
    const percents = told.map(({ share }) => 100 * share);
    assert.deepEqual(
      percents.filter(percent => Math.abs(percent - Math.round(percent)) > 1e-9),
      [],
    );
    // Where nothing was found, another percent is the news.
    const quiet = told.filter(({ calls }) => calls.length === 0).map(({ share }) => share);
    assert.equal(new Set(quiet).size, quiet.length);
  });
});
