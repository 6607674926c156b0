import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readServerOptions } from '../../../wire/server-messages.ts';

describe('messages between client and server', () => {
  it('have options whose wrong parts count as absent', () => {
    const none = {
      canSend: false,
      needsTrust: false,
      canInspect: false,
      canShowMedia: false,
      canConvert: false,
      agents: [],
      dialects: [],
      showsDialects: false,
      environment: [],
      secrets: [],
    };
    for (const wrong of [
      undefined,
      null,
      7,
      'x',
      [],
      {},
      { canSend: 1, canInspect: 'x', canConvert: {}, agents: 'a', dialects: {} },
    ])
      assert.deepEqual(readServerOptions(wrong), none);
    const right = { uri: 'file:///a.aicf', dialect: 'rpc' };
    const dialects = [right, { ...right, dialect: 'auto' }, { uri: 7, dialect: 'rpc' }, 'rpc', null];
    const can = { canSend: true, needsTrust: false, canInspect: true, canShowMedia: true, canConvert: true };
    const variable = { name: 'host', value: 'localhost', environment: 'dev' };
    const environment = [variable, { ...variable, value: 1 }, 'host'];
    const sent = {
      ...can,
      agents: ['a', 7],
      dialects,
      showsDialects: true,
      environment,
      secrets: ['key', 1],
    };
    assert.deepEqual(readServerOptions(sent), {
      ...can,
      agents: ['a'],
      dialects: [right],
      showsDialects: true,
      environment: [variable],
      secrets: ['key'],
    });
  });
});
