import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { listFields } from '../../../client/src/forms/schema-fields.ts';
import { isDraft, isFromComposer, isToComposer } from '../../../wire/composer-messages.ts';
import { isFromForm, isToForm } from '../../../wire/form-messages.ts';

/** Each message as it is, and with one member after the other of another type: only what may be absent may be so. */
function judge(
  guard: (value: unknown) => boolean,
  message: Readonly<Record<string, unknown>>,
): readonly string[] {
  assert.equal(guard(message), true, JSON.stringify(message));
  return Object.keys(message).filter(key => guard({ ...message, [key]: [[7]] }));
}

describe('messages of forms and of the composer', () => {
  const fields = listFields({ properties: { a: { enum: [1, 2] }, b: { type: 'string' } } });
  const show = {
    type: 'show',
    heading: 'h',
    message: 'm',
    fields,
    inputs: { a: '1' },
    submit: 'Send',
    decline: 'No',
  };
  const draft = { agent: 'a', form: 'plain', text: 't' };
  const step = { type: 'send', draft, number: 1, cursor: 0 };

  it('are accepted unchanged, and rejected with a member of another type', () => {
    const toForm = [
      show,
      { type: 'checked', faults: { a: 'Wrong.' }, preview: { language: 'aicl', text: '[d:]' } },
      { type: 'state', state: 'working', words: '' },
    ];
    const fromForm = [
      { type: 'changed', inputs: { a: '1' } },
      { type: 'submit', inputs: {} },
      { type: 'preview', language: 'aicf' },
      ...['ready', 'decline', 'cancel', 'stop', 'copy'].map(type => ({ type })),
    ];
    const toComposer = [
      { type: 'show', agents: [{ name: 'a', form: 'aicf' }], draft },
      { type: 'state', state: 'ok', words: 'ok' },
      { type: 'reply', text: 'OK|1' },
      { type: 'checked', draft: 1, issues: [], tokens: [0, 4, 7], requests: [0] },
      { type: 'proposals', draft: 1, items: [] },
    ];
    const fromComposer = [
      ...['draft', 'complete', 'send', 'sendAnyway', 'open', 'save'].map(type => ({ ...step, type })),
      ...['ready', 'stop', 'openReply', 'showRaw'].map(type => ({ type })),
    ];
    const found = [
      ...toForm.map(message => judge(isToForm, message)),
      ...fromForm.map(message => judge(isFromForm, message)),
      ...toComposer.map(message => judge(isToComposer, message)),
      ...fromComposer.map(message => judge(isFromComposer, message)),
      judge(isDraft, draft),
    ];
    assert.deepEqual(found.flat(), []);
  });

  it('are rejected if a part of a list is of another type', () => {
    const [first] = fields;
    const wrong = [
      { ...show, fields: [{ ...first, kind: 'colour' }] },
      { ...show, fields: [{ ...first, choices: [{ label: 'one' }] }] },
      { ...show, inputs: { a: 1 } },
    ];
    assert.deepEqual(wrong.map(isToForm), [false, false, false]);
    for (const agent of ['a', { name: 1, form: 'aicf' }, { name: 'a', form: 'prose' }])
      assert.equal(isToComposer({ type: 'show', agents: [agent], draft }), false);
    assert.equal(isFromComposer({ ...step, draft: { ...draft, form: 'french' } }), false);
  });
});
