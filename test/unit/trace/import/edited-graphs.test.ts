import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { importTrace } from '../../../../trace/import/import.ts';

const ENVELOPE = {
  call: { call: 'c', trace: 't', at: 10, agent: 'planner', protocol: 'mcp', title: 'plan' },
  end: { at: 30, status: 'cancelled', message: 'Nobody waits' },
};

/** What a call is that Parley exported, after somebody edited members of the graph. */
function read(...edits: readonly object[]): readonly unknown[] {
  const calls = edits.map(edit => ({
    id: 1,
    agent: 'planner',
    method: 'plan',
    status: 'error',
    parley: ENVELOPE,
    ...edit,
  }));
  const imported = importTrace(JSON.stringify({ trace_id: 't', calls }), ALL_PROTOCOLS);
  assert.ok(imported.ok, imported.ok ? '' : imported.error);
  return imported.events.flatMap(event => {
    if (event.type === 'call') return [[event.call, event.at, event.agent, event.title]];
    return event.type === 'end' ? [[event.at, event.status, event.message]] : [];
  });
}

describe('a graph of AIO that Parley exported', () => {
  const begun = ['c', 10, 'planner', 'plan'];
  const ended = [30, 'cancelled', 'Nobody waits'];

  it('is the call that it was', () => assert.deepEqual(read({}), [begun, ended]));

  it('says what somebody wrote into it since', () => {
    assert.deepEqual(read({ agent: 'booker', method: 'book' }), [['c', 10, 'booker', 'book'], ended]);
    assert.deepEqual(read({ status: 'ok' }), [begun, [30, 'ok', 'Nobody waits']]);
    assert.deepEqual(read({ status: 'pending' }), [begun]);
  });

  it('is no call twice', () => {
    assert.deepEqual(read({}, { status: 'ok' }), [
      begun,
      ended,
      ['t#1', 1, 'planner', 'plan'],
      [1, 'ok', undefined],
    ]);
  });

  it('is incomplete where it broke off, and only where it failed', () => {
    const parley = undefined;
    assert.deepEqual(read({ parley, partial: true }), [
      ['t#1', 0, 'planner', 'plan'],
      [0, 'incomplete', undefined],
    ]);
    assert.deepEqual(read({ parley, partial: true, status: 'ok' }), [
      ['t#1', 0, 'planner', 'plan'],
      [0, 'ok', undefined],
    ]);
  });
});
