import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isFromComposer } from '../../../wire/composer-messages.ts';
import { isFromForm } from '../../../wire/form-messages.ts';

/** Each message as it is, and with one member after the other of another type: only what may be absent may be so. */
function judge(
  guard: (value: unknown) => boolean,
  message: Readonly<Record<string, unknown>>,
): readonly string[] {
  assert.equal(guard(message), true, JSON.stringify(message));
  return Object.keys(message).filter(key => guard({ ...message, [key]: [[7]] }));
}

describe('messages of forms and of the composer', () => {
  const draft = { agent: 'a', mode: 'chat', text: 't' };
  const step = { type: 'send', draft, number: 1, cursor: 0 };

  it('are accepted unchanged, and rejected with a member of another type', () => {
    const fromForm = [
      { type: 'changed', inputs: { a: '1' } },
      { type: 'submit', inputs: {} },
      { type: 'preview', form: 'aicf' },
      ...['ready', 'decline', 'cancel', 'stop', 'copy'].map(type => ({ type })),
    ];
    const fromComposer = [
      ...['draft', 'complete', 'send', 'sendAnyway', 'open', 'save'].map(type => ({ ...step, type })),
      { type: 'choose', agent: 'a', mode: 'chat', choice: 1 },
      { type: 'attach', files: [{ name: 'a', mimeType: '', base64: '' }] },
      { type: 'detach', file: 1 },
      { type: 'turnStep', step: 'unfold', turn: 1 },
      { type: 'openTool', tool: 'a' },
      { type: 'showCall', what: 'raw', call: 'c' },
      { type: 'openLink', text: 'https://example.org' },
      { type: 'copy', text: 't' },
      { type: 'form', message: { type: 'ready' } },
      ...['ready', 'stop', 'newConversation', 'pickFiles', 'addAgent', 'loadTools'].map(type => ({ type })),
    ];
    const found = [
      ...fromForm.map(message => judge(isFromForm, message)),
      ...fromComposer.map(message => judge(isFromComposer, message)),
    ];
    assert.deepEqual(found.flat(), []);
  });

  it('are rejected if a part of a list is of another type', () => {
    assert.equal(isFromComposer({ ...step, draft: { ...draft, mode: 'french' } }), false);
  });
});
