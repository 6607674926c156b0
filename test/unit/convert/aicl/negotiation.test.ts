import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { AICL } from '../../../../protocols/aicl/protocol.ts';

const HEAD = '[s:protocol]:[s:LightAICL],[s:session_id]:[s:talk],[s:msg_type]';
const TASK = `[d:${HEAD}:[s:task_request],[s:task]:[s:x],[s:constraints]:[d:]]`;
const OFFER = `[d:${HEAD}:[s:protocol_negotiate],[s:supported]:[l:[s:LightAICL_v1]]]`;

describe('the negotiation of a version of AICL', () => {
  const { negotiation } = AICL;

  it('offers the versions that we write, in the session of the request', () => {
    assert.equal(negotiation?.writeOffer(TASK), OFFER);
    assert.match(
      negotiation.writeOffer('no message'),
      /\[s:protocol_negotiate\],\[s:supported\]:\[l:\[s:LightAICL_v1\]\]\]$/,
    );
  });

  it('may help where a message is refused as no part of the protocol, and is no offer itself', () => {
    const cases = [
      [TASK, '1000'],
      [TASK, '2001'],
      [TASK, undefined],
      [OFFER, '1000'],
    ] as const;
    assert.deepEqual(
      cases.map(([request, code]) => negotiation?.mayHelp(request, code)),
      [true, false, false, false],
    );
  });

  it('reads the version that a reply selects', () => {
    const select = (version: string): string => `${OFFER.slice(0, -1)},[s:selected]:[s:${version}]]`;
    assert.deepEqual(
      [select('LightAICL_v1'), `${TASK}\n${select('LightAICL_v9')}`, OFFER, TASK, 'hello', ''].map(reply =>
        negotiation?.readSelected(reply),
      ),
      [
        { name: 'LightAICL_v1', isWritten: true },
        { name: 'LightAICL_v9', isWritten: false },
        undefined,
        undefined,
        undefined,
        undefined,
      ],
    );
  });
});

it('an answer that the user completes belongs to the session of the question, whatever its name', () => {
  const { conversations } = AICL;
  for (const session of ['talk', 'a]b\\[c', 'é 😀'])
    assert.equal(conversations?.readAnswered?.(conversations.writeAnswer?.(session) ?? ''), session);
});
