import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { window } from 'vscode';
import type { CallOutcome, CallRequest } from '../../client/src/services/agent-service.ts';
import { defer } from '../../client/src/base/deferred.ts';
import { offerNegotiation } from '../../client/src/sending/negotiate.ts';

const HEAD = '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:talk],';
const REFUSAL = `${HEAD}[s:msg_type]:[s:error],[s:code]:[i:1000],[s:reason]:[s:PROTOCOL_ERROR]]`;
const CHOICE = `${HEAD}[s:msg_type]:[s:protocol_negotiate],[s:supported]:[l:[s:LightAICL_v9]],[s:selected]:[s:LightAICL_v9]]`;
const OFFER = `${HEAD}[s:msg_type]:[s:protocol_negotiate],[s:supported]:[l:[s:LightAICL_v1]]]`;

const REQUEST: CallRequest = {
  agent: 'strict',
  title: 'x',
  wireText: `${HEAD}[s:msg_type]:[s:task_request],[s:task]:[s:x],[s:constraints]:[d:]]`,
  language: 'aicl',
  warningPolicy: 'hold',
  timeout: undefined,
};
const REFUSED: CallOutcome = { status: 'error', code: '1000', text: REFUSAL, isProtocol: true };

describe('an agent that takes a message for none of its protocol', () => {
  const original = Object.getOwnPropertyDescriptor(window, 'showWarningMessage');
  const asked: string[] = [];
  const sent: string[] = [];

  /** Resolves when the user was asked twice. */
  const capabilities = (request: CallRequest, outcome: CallOutcome): Promise<void> => {
    const twice = defer<void>();
    asked.length = 0;
    sent.length = 0;
    Object.defineProperty(window, 'showWarningMessage', {
      configurable: true,
      value: (message: string, ...actions: readonly string[]) => {
        asked.push(message);
        if (asked.length === 2) twice.resolve();
        return Promise.resolve(actions.find(each => each === 'Negotiate'));
      },
    });
    offerNegotiation(request, outcome, next => {
      sent.push(next.wireText);
      return Promise.resolve({ status: 'ok', text: CHOICE, isProtocol: true });
    });
    return twice.promise;
  };

  afterEach(() => {
    if (original) Object.defineProperty(window, 'showWarningMessage', original);
  });

  it('gets the versions that we write, once the user says so; one that it chose instead is named', async () => {
    await capabilities(REQUEST, REFUSED);
    assert.deepEqual(sent, [OFFER]);
    assert.deepEqual(asked, [
      'strict does not take this as a message of the protocol (1000). It may speak another version.',
      "strict chose 'LightAICL_v9', which Parley does not write.",
    ]);
  });

  it('is not asked to negotiate about a negotiation, another error, or another language', () => {
    void capabilities({ ...REQUEST, wireText: OFFER }, REFUSED);
    assert.deepEqual(asked, []);
    void capabilities(REQUEST, { ...REFUSED, code: '2001' });
    assert.deepEqual(asked, []);
    void capabilities({ ...REQUEST, language: 'aicf', wireText: 'CALL|x' }, REFUSED);
    assert.deepEqual(asked, []);
  });
});
