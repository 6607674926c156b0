import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { convertText, type Converted } from '../../../protocols/convert/convert.ts';
import { runs } from '../../support/size.ts';
import { READERS, type Fact, type Name, type Side } from './facts.ts';
import { MESSAGES, STREAMS } from './messages.ts';

const NAMES = ['aio', 'mcp', 'agent-api', 'responses', 'a2a'] as const satisfies readonly Name[];
const SIDES = ['request', 'reply'] as const satisfies readonly Side[];
const PAIRS = NAMES.flatMap(from => NAMES.map(to => ({ from, to })));
const RUNS = runs(400);

/** What a receiver reads differs only where the report says so. */
function holdReport(before: readonly Fact[], after: readonly Fact[], { text, losses }: Converted): void {
  const shown = JSON.stringify({ before, text, losses }, undefined, 1);
  assert.equal(after.length, before.length, shown);
  for (const [index, fact] of before.entries()) {
    const paths = [`content[${index}]`, 'data', 'task'];
    // Of a stream, the path begins with the number of a part.
    const isReported = losses.some(loss => {
      const path = loss.path.replace(/^\[\d+\]\.?/, '');
      return paths.some(own => path === own || path.startsWith(`${own}.`));
    });
    if (!isReported) assert.deepEqual(clean(after[index]), clean(fact), shown);
  }
}

function clean(fact: Fact | undefined): unknown {
  return JSON.parse(JSON.stringify(fact ?? null));
}

/** Neither our name nor the marks of our own stand in what others read. */
function holdNames({ text }: Converted): void {
  assert.doesNotMatch(text, /parley|"\$/i);
}

describe('content of several kinds', () => {
  for (const side of SIDES)
    for (const { from, to } of PAIRS)
      it(`is read in ${to} as it was in ${from}, or the report says why not: a ${side}`, () => {
        fc.assert(
          fc.property(fc.oneof(...MESSAGES[from][side]), given => {
            const before = READERS[from][side](given);
            const converted = convertText(JSON.stringify(given), {
              protocols: ALL_PROTOCOLS,
              from,
              to,
              layout: 'compact',
            });
            const after = READERS[to][side](JSON.parse(converted.text));
            holdReport(before, after, converted);
            holdNames(converted);
            if (from === to) assert.deepEqual([after, converted.losses], [before, []]);
          }),
          { numRuns: RUNS },
        );
      });

  for (const [from, streams] of Object.entries(STREAMS))
    for (const to of NAMES)
      it(`is read in ${to} as the reply that a stream of ${from} amounts to`, () => {
        if (from === to && to === 'a2a') return;
        const name = NAMES.find(each => each === from) ?? 'aio';
        fc.assert(
          fc.property(streams, ({ events, whole }) => {
            const before = READERS[name].reply(whole);
            const text = events.map(event => `data: ${JSON.stringify(event)}\n\n`).join('');
            const converted = convertText(text, {
              protocols: ALL_PROTOCOLS,
              from: name,
              to,
              layout: 'compact',
            });
            holdReport(before, READERS[to].reply(JSON.parse(converted.text)), converted);
            holdNames(converted);
          }),
          { numRuns: RUNS },
        );
      });
});
