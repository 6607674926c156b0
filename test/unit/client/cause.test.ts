import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { leadWithCause } from '../../../client/src/features/traces/view/cause.ts';

describe('cause of a failure', () => {
  it('comes first, without what was tried', () => {
    assert.deepEqual(
      [
        'Tried POST http://127.0.0.1:9/a,b, but nothing listens at 127.0.0.1:9; start the agent',
        'Tried POST http://x/: 200 OK and 5 bytes came, then the connection was lost',
        'Tried GET https://x/, but the server there does not use TLS',
        'out of luck',
      ].map(leadWithCause),
      [
        'Nothing listens at 127.0.0.1:9; start the agent',
        '200 OK and 5 bytes came, then the connection was lost',
        'The server there does not use TLS',
        'out of luck',
      ],
    );
  });
});
