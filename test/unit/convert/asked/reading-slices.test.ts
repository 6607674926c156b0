import { protocolOf } from '../../../support/protocol.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ReplyReader } from '../../../../protocols/convert/calls/reply-reader.ts';
import { ReplyWriter } from '../../../../protocols/convert/calls/reply-writer.ts';
import { NO_TOOLS } from '../../../../protocols/convert/read-text.ts';
import { Report } from '../../../../core/message/report.ts';
import { message, type Message } from '../../../../core/message/message.ts';
import { runInSlices } from '../../../../core/text/slices.ts';

const LENGTH = 60_000;
/** So many characters at most are read between two steps: twice a slice's work, for what ends within one. */
const MOST_BETWEEN = 2 * 2 ** 14;
const LEVELS = 150;

const START = '{"jsonrpc":"2.0","id":1,"result":';

/** Bodies that are one message each. */
const BODIES: Readonly<Record<string, string>> = {
  'a list of numbers': `${START}[${'1,'.repeat(LENGTH / 2)}0]}`,
  'a list of lists': `${START}[${'[],'.repeat(LENGTH / 3)}0]}`,
  'a dictionary': `${START}{${Array.from({ length: LENGTH / 10 }, (_, at) => `"k${at}":{}`).join(',')}}}`,
  'lists in lists': `${START}[${`${'['.repeat(LEVELS)}${']'.repeat(LEVELS)},`.repeat(LENGTH / (2 * LEVELS + 1))}0]}`,
  'a list that is cut': `${START}[${'[],'.repeat(LENGTH / 3)}`,
  'keys without values': '{"a",'.repeat(LENGTH / 5),
};

/** The result of work in steps, and how many of them there were. */
function countSteps<T>(work: Generator<undefined, T>): { readonly result: T; readonly steps: number } {
  for (let steps = 0; ; steps++) {
    const step = work.next();
    if (step.done) return { result: step.value, steps };
  }
}

function openReader(body: string): ReplyReader {
  const reader = new ReplyReader(protocolOf('json-rpc'), NO_TOOLS, new Report());
  reader.push(body);
  return reader;
}

function write(messages: readonly Message[]): Generator<undefined, string> {
  return new ReplyWriter('aicl', message('call', {}), NO_TOOLS, new Report()).writeSteps(messages);
}

describe('a reply that is one message is read and written in slices', () => {
  for (const [name, body] of Object.entries(BODIES))
    it(name, () => {
      const read = countSteps(openReader(body).endSteps());
      assert.deepEqual(read.result, openReader(body).end());
      assert.ok(read.steps >= Math.floor(body.length / MOST_BETWEEN), `${read.steps} steps to read`);
      const written = countSteps(write(read.result));
      const least = Math.floor(written.result.length / MOST_BETWEEN);
      assert.ok(written.steps >= least, `${written.steps} steps to write ${written.result.length}`);
    });

  it('others have their turn between slices, and the reading ends once nobody wants it', async () => {
    let time = 0;
    let turns = 0;
    const result = await runInSlices(openReader(BODIES['a list of lists'] ?? '').endSteps(), {
      now: () => (time += 10),
      yieldToQueue: () => Promise.resolve(void turns++),
      isStopped: () => turns === 3,
    });
    assert.deepEqual({ result, turns }, { result: undefined, turns: 3 });
  });
});
