import assert from 'node:assert/strict';
import { describeAll, describeEnd, type RunResult } from '../../../client/src/features/send/run-words.ts';

describe('the summary of requests that were sent one after the other', () => {
  const steps = [0, 2, 4, 6].map(line => ({ position: { line } }));
  const outcome = { status: 'error', message: "The agent has no tool 'x'." } as const;
  const sent = [{}, {}, {}];
  const failed = [{ at: 1, outcome }];
  const held = [{ at: 3, held: { reason: 'It has an error.' } }];

  it('counts them, and names each that failed or was not sent, with its line', () => {
    assert.equal(
      describeAll({ steps, sent, failed, held, next: 4 }),
      [
        'Of 4 requests: 2 ok, 1 failed, 1 not sent.',
        "Failed: request 2 of 4, line 3. The agent has no tool 'x'.",
        'Not sent: request 4 of 4, line 7. It has an error.',
      ].join('\n'),
    );
  });

  it('names the one at which it stopped', () => {
    const end = (result: Partial<RunResult>): string =>
      describeEnd({ steps, sent: [], failed: [], held: [], next: 2, ...result });
    assert.deepEqual(
      [
        end({ failed }),
        end({ failed: [{ at: 1, outcome: { status: 'incomplete' } }] }),
        end({ held }),
        end({ held: [{ at: 0, held: undefined }], next: 1 }),
        end({}),
      ],
      [
        "Request 2 of 4 failed: The agent has no tool 'x'.",
        'Request 2 of 4 did not complete.',
        'Stopped at request 4 of 4, line 7. It has an error.',
        'Stopped at request 1 of 4, line 1, which was not sent.',
        'Request 2 of 4 did not complete.',
      ],
    );
  });
});
