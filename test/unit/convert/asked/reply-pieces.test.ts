import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import { ReplyReader } from '../../../../protocols/convert/calls/reply-reader.ts';
import { ReplyWriter } from '../../../../protocols/convert/calls/reply-writer.ts';
import { NO_TOOLS } from '../../../../language/tools.ts';
import { message } from '../../../../core/message/message.ts';
import { Report } from '../../../../core/message/report.ts';
import { textValue } from '../../../../core/values/value.ts';
import { protocolOf } from '../../../support/protocol.ts';

const CALL = message('call', { tool: textValue('read') });

const event = (result: object): string => `data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result })}\n\n`;

function artifact(artifactId: string, parts: readonly object[], append?: 'appends' | 'does not'): object {
  const members = append === undefined ? {} : { append: append === 'appends' };
  return { artifactUpdate: { taskId: 't', contextId: 'c', artifact: { artifactId, parts }, ...members } };
}

const STARTED = { task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } } };
const COMPLETED = {
  statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } },
};

/** A task of A2A whose events arrive one by one, as AICF shows it. */
function show(...updates: readonly object[]): { readonly text: string; readonly notes: readonly string[] } {
  return showEvents([STARTED, ...updates, COMPLETED]);
}

function showOne(...results: readonly object[]): string {
  return showEvents(results).text;
}

function showEvents(results: readonly object[]): {
  readonly text: string;
  readonly notes: readonly string[];
} {
  const report = new Report();
  const context = { protocols: ALL_PROTOCOLS, tools: NO_TOOLS, report };
  const reader = new ReplyReader(protocolOf('a2a'), context);
  const writer = new ReplyWriter('aicf', CALL, context);
  const pieces = results.map(each => writer.write(reader.push(event(each))).join(''));
  pieces.push(writer.write(reader.end()).join('') + writer.end());
  return { text: pieces.join(''), notes: report.notes.map(note => note.message) };
}

describe('artifacts of A2A that arrive by turns', () => {
  it('are texts of their own', () => {
    const { text } = show(
      artifact('a', [{ text: 'one ' }]),
      artifact('b', [{ text: 'other ' }]),
      artifact('a', [{ text: 'two' }], 'appends'),
      artifact('b', [{ text: 'text' }], 'appends'),
    );
    assert.equal(text, 'OK|one two\nOK|other text\n');
  });

  for (const append of [undefined, 'does not'] as const)
    it(`begin a message of their own if they are sent again: append is ${append ?? 'missing'}`, () => {
      const { text, notes } = show(
        artifact('a', [{ text: 'old' }]),
        artifact('a', [{ text: 'new' }], append),
        artifact('a', [{ text: 'er' }], 'appends'),
      );
      assert.equal(text, 'OK|old\nOK|newer\n');
      assert.ok(
        notes.includes(
          'The agent sent a part of its reply again: the last version counts, and is a message of its own',
        ),
      );
    });

  it('lose nothing of their data and files', () => {
    const file = { raw: 'aGk=', mediaType: 'image/png', filename: 'p.png' };
    const { text } = show(
      artifact('a', [{ text: 'see ', mediaType: 'text/plain' }]),
      artifact('b', [{ data: { x: 1 } }, file]),
    );
    for (const part of ['see ', '"x":1', 'aGk=', 'p.png', 'image/png']) assert.ok(text.includes(part), text);
  });

  it('lose no text beside data that arrives between them', () => {
    const { text } = show(
      artifact('a', [{ text: 'one ' }]),
      artifact('b', [{ text: 'other ' }]),
      artifact('c', [{ data: { x: 1 } }]),
      artifact('a', [{ text: 'two' }], 'appends'),
      artifact('b', [{ text: 'text' }], 'appends'),
    );
    assert.ok(text.startsWith('OK|one two\nOK|'), text);
    for (const part of ['other ', 'text', '"x":1']) assert.ok(text.includes(part), text);
  });

  it('are shown before the error that ends the task', () => {
    const failed = {
      statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_FAILED' } },
    };
    const { text } = show(artifact('a', [{ text: 'one' }]), artifact('b', [{ text: 'other' }]), failed);
    assert.ok(text.startsWith('OK|one\nOK|other\nERR|'), text);
  });
});

describe('a task of A2A with artifacts of an earlier turn', () => {
  const BEFORE = { id: 't', contextId: 'c', artifacts: [{ artifactId: 'a', parts: [{ text: 'before' }] }] };
  const status = (state: string, text: string): object => ({
    state: `TASK_STATE_${state}`,
    message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text }] },
  });
  const update = (state: string, text: string): object => ({
    statusUpdate: { taskId: 't', contextId: 'c', status: status(state, text) },
  });
  const again = { task: { ...BEFORE, status: { state: 'TASK_STATE_WORKING' } } };

  it('shows the answer in its last status, also as a stream', () => {
    assert.equal(showOne(again, update('COMPLETED', 'the answer')), 'OK|the answer\n');
    const whole = showOne({ task: { ...BEFORE, status: status('COMPLETED', 'the answer') } });
    assert.match(whole, /before.*the answer/);
  });

  it('shows its question once, also as a stream', () => {
    assert.equal(showOne(again, update('INPUT_REQUIRED', 'which?')), 'OK|which?\n');
    const begun = [STARTED, artifact('b', [{ text: 'found' }]), update('INPUT_REQUIRED', 'which?')];
    assert.equal(showOne(...begun), 'OK|found\nOK|which?\n');
    assert.match(
      showOne({ task: { ...BEFORE, status: status('INPUT_REQUIRED', 'which?') } }),
      /before.*which\?/,
    );
  });
});
