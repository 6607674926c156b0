import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import { protocolOf } from '../../../support/protocol.ts';
import { IS_FULL_SIZE, sized } from '../../../support/size.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ReplyReader } from '../../../../protocols/convert/calls/reply-reader.ts';
import { ReplyWriter } from '../../../../protocols/convert/calls/reply-writer.ts';
import { NO_TOOLS } from '../../../../language/tools.ts';
import { Report } from '../../../../core/message/report.ts';
import { message, type Message } from '../../../../core/message/message.ts';
import { runInSlices } from '../../../../core/text/slices.ts';

/** Longer than what is read between two steps. */
const LENGTH = sized(60_000, 33_000);
/** So many characters at most are read between two steps: twice a slice's work, for what ends within one. */
const MAX_BETWEEN = 2 * 2 ** 14;
const LEVELS = 150;

/** What a list holds: in the gate few lists hold long texts. */
const HELD = IS_FULL_SIZE ? '' : `"${'x'.repeat(40)}"`;
const LIST = `[${HELD}],`;
const NUMBER = `${'1'.repeat(sized(1, 15))},`;
const KEY = 'k'.repeat(sized(1, 31));

const START = '{"jsonrpc":"2.0","id":1,"result":';

const DEEP = `${'['.repeat(LEVELS)}${HELD.repeat(sized(1, 20))}${']'.repeat(LEVELS)},`.replaceAll(
  '""',
  '","',
);

/** Bodies that are one message each. */
const BODIES: Readonly<Record<string, string>> = {
  'a list of numbers': `${START}[${NUMBER.repeat(LENGTH / NUMBER.length)}0]}`,
  'a list of lists': `${START}[${LIST.repeat(LENGTH / LIST.length)}0]}`,
  'a dictionary': `${START}{${Array.from({ length: LENGTH / (KEY.length + 9) }, (_, at) => `"${KEY}${at}":{}`).join(',')}}}`,
  'lists in lists': `${START}[${DEEP.repeat(LENGTH / DEEP.length)}0]}`,
  'a list that is cut': `${START}[${LIST.repeat(LENGTH / LIST.length)}`,
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
  const reader = new ReplyReader(protocolOf('json-rpc'), {
    protocols: ALL_PROTOCOLS,
    tools: NO_TOOLS,
    report: new Report(),
  });
  reader.push(body);
  return reader;
}

function write(messages: readonly Message[]): Generator<undefined, readonly string[]> {
  return new ReplyWriter('aicl', message('call', {}), {
    protocols: ALL_PROTOCOLS,
    tools: NO_TOOLS,
    report: new Report(),
  }).writeSteps(messages);
}

describe('a reply that is one message is read and written in slices', () => {
  for (const [name, body] of Object.entries(BODIES))
    it(name, () => {
      const read = countSteps(openReader(body).endSteps());
      assert.deepEqual(read.result, openReader(body).end());
      assert.ok(read.steps >= Math.floor(body.length / MAX_BETWEEN), `${read.steps} steps to read`);
      const written = countSteps(write(read.result));
      const { length } = written.result.join('');
      const least = Math.floor(length / MAX_BETWEEN);
      assert.ok(written.steps >= least, `${written.steps} steps to write ${length}`);
    });

  it('others have their turn between slices, and the reading ends once it is cancelled', async () => {
    let time = 0;
    let turns = 0;
    const most = sized(3, 1);
    const result = await runInSlices(openReader(BODIES['a list of lists'] ?? '').endSteps(), {
      now: () => (time += 10),
      yieldToQueue: () => Promise.resolve(void turns++),
      isStopped: () => turns === most,
    });
    assert.deepEqual({ result, turns }, { result: undefined, turns: most });
  });
});
