import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { GrowingReply } from '../../agents/growing-reply.ts';
import { Redactor } from '../../core/secrets/redact.ts';

const AT_ONCE = 1 << 18;
const TEXT = `${'x'.repeat(AT_ONCE - 3)}secret${'y'.repeat(3 * AT_ONCE)}`;
const SHOWN = TEXT.replace('secret', '[redacted]');

function open(): { readonly reply: GrowingReply; readonly shown: () => string } {
  let shown = '';
  const stream = new Redactor(['secret']).openText();
  return { reply: new GrowingReply(stream, text => (shown += text)), shown: () => shown };
}

describe('the text of a growing reply', () => {
  it('is shown at once where it is short', () => {
    const { reply, shown } = open();
    reply.push('one secret.');
    assert.equal(shown(), 'one [redacted].');
  });

  it('is searched for secrets over several turns where it is long, in order and with all that is added meanwhile', async () => {
    const { reply, shown } = open();
    reply.push(TEXT);
    const lengths = [shown().length];
    reply.push(' and a secret');
    for (let turn = 0; turn < 4; turn++) {
      await nextTurn();
      lengths.push(shown().length);
    }
    // The beginning of the secret at the end of the first piece is held back; its replacement is longer.
    assert.deepEqual(lengths.slice(0, 3), [AT_ONCE - 3, 2 * AT_ONCE + 4, 3 * AT_ONCE + 4]);
    await reply.end();
    assert.ok(shown() === `${SHOWN} and a [redacted]`);
  });

  it('is shown whole before other secrets apply', async () => {
    const { reply, shown } = open();
    reply.push(TEXT);
    reply.continueWith(new Redactor(['other']).openText());
    reply.push(' secret other');
    await reply.end();
    assert.ok(shown() === `${SHOWN} secret [redacted]`);
  });
});
