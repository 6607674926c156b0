import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { CallTracker } from '../../../agents/call-tracker.ts';
import { OpenCalls, type OpenCall } from '../../../agents/proxy/stdio/open-calls.ts';
import { now } from '../../../agents/runtime.ts';
import { Redactor } from '../../../core/secrets/redact.ts';

const tracker = new CallTracker('x', { now, emit: () => undefined }, new Redactor([]));

const NAMES = ['a', 'b', 'c', undefined];

function openCall(at: number): OpenCall {
  const [id, session, progressToken] = [NAMES[at % 4], NAMES[(at >> 2) % 4], NAMES[(at >> 4) % 4]];
  return {
    tracker,
    trace: '',
    sign: {
      protocol: 'mcp',
      title: String(at),
      kind: 'request',
      names: [],
      notes: [],
      ...(id === undefined ? {} : { id }),
      ...(session === undefined ? {} : { session }),
      ...(progressToken === undefined ? {} : { progressToken }),
    },
  };
}

describe('calls that wait for an answer', () => {
  it('are found by what answers carry, as in a list', () => {
    const step = fc.oneof(
      fc.nat(63).map(call => ({ call, at: -1 })),
      fc.nat(40).map(at => ({ call: -1, at })),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), steps => {
        const calls = new OpenCalls();
        let list: OpenCall[] = [];
        for (const { call, at } of steps) {
          const gone = list[at];
          if (call >= 0) {
            const added = openCall(call);
            calls.add(added);
            list.push(added);
          } else if (gone) {
            calls.delete(gone);
            list = list.filter(each => each !== gone);
          }
          assert.equal(calls.oldest, list[0]);
          assert.equal(calls.newest, list.at(-1));
          for (const name of ['a', 'b', 'c']) {
            assert.equal(
              calls.withId(name),
              list.find(({ sign }) => sign.id === name),
            );
            assert.equal(
              calls.withProgress(name),
              list.find(({ sign }) => sign.progressToken === name),
            );
          }
          for (const name of NAMES)
            assert.equal(
              calls.ofSession(name),
              list.find(({ sign }) => sign.session === name),
            );
        }
        assert.deepEqual([calls.clear(), calls.newest, calls.oldest], [list, undefined, undefined]);
      }),
    );
  });
});
