import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { message, type Message } from '../../../core/message/message.ts';
import { boolValue, textValue } from '../../../core/values/value.ts';
import { Numbering } from '../../../protocols/convert/numbering.ts';
import { runs } from '../../support/size.ts';

/** An open request. */
interface Open {
  readonly number: number;
  readonly session: string | undefined;
}

/** The default ids by their definition: the oldest open request is searched for each message. */
function numbersOf(messages: readonly (readonly [Message, string | undefined])[]): readonly number[] {
  const open: Open[] = [];
  let count = 0;
  return messages.map(([{ kind, fields }, session]) => {
    const found =
      kind === 'call'
        ? undefined
        : session === undefined
          ? open[0]
          : (open.find(each => each.session === session) ?? open.find(each => each.session === undefined));
    const request = found ?? { number: ++count, session };
    if (!found) open.push(request);
    const isLast = kind === 'result' || kind === 'end' || fields.final !== undefined;
    if (isLast) open.splice(open.indexOf(request), 1);
    return request.number;
  });
}

const anyMessage = fc
  .tuple(
    fc.constantFrom('call', 'call', 'result', 'chunk', 'end'),
    fc.constantFrom(undefined, 'a', 'b'),
    fc.boolean(),
  )
  .map(([kind, session, isFinal]): readonly [Message, string | undefined] => {
    const fields = {
      session: session === undefined ? undefined : textValue(session),
      final: kind === 'chunk' && isFinal ? boolValue(true) : undefined,
    };
    return [message(kind, fields), session];
  });

describe('the default ids of messages', () => {
  it('are those of the oldest open requests, however requests and replies alternate', () => {
    fc.assert(
      fc.property(fc.array(anyMessage, { maxLength: 60 }), messages => {
        const numbering = new Numbering();
        assert.deepEqual(
          messages.map(([each]) => numbering.next(each)),
          numbersOf(messages),
        );
      }),
      { numRuns: runs(500) },
    );
  });
});
