import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { listFields } from '../../../client/src/forms/schema-fields.ts';
import { isFromComposer, isToComposer } from '../../../wire/composer-messages.ts';
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
  const draft = { agent: 'a', mode: 'chat', text: 't' };
  const step = { type: 'send', draft, number: 1, cursor: 0 };

  it('are accepted unchanged, and rejected with a member of another type', () => {
    const toForm = [
      show,
      { type: 'checked', faults: { a: 'Wrong.' }, preview: { form: 'aicl', forms: ['aicl'], text: '[d:]' } },
      { type: 'state', state: 'working', words: '' },
    ];
    const fromForm = [
      { type: 'changed', inputs: { a: '1' } },
      { type: 'submit', inputs: {} },
      { type: 'preview', form: 'aicf' },
      ...['ready', 'decline', 'cancel', 'stop', 'copy'].map(type => ({ type })),
    ];
    const reply = { state: 'ok', words: 'ok', call: 'c', share: 0.5, parts: { parts: [], notes: [] } };
    const file = { id: 1, name: 'a.png', mimeType: 'image/png', size: 3 };
    const turn = { id: 1, text: 't', files: [file], reply, question: '', isFolded: false };
    const toComposer = [
      {
        type: 'show',
        agents: [{ name: 'a', protocol: 'AICF', modes: ['aicf'] }],
        draft,
        example: 'LIST',
        choice: 1,
        takesFocus: false,
      },
      { type: 'reply', reply },
      { type: 'chat', turns: [turn] },
      { type: 'turn', turn },
      { type: 'files', files: [file], problem: '' },
      { type: 'tools', state: 'loaded', tools: [{ name: 'a', description: '' }], problem: '', open: 'a' },
      { type: 'form', message: show },
      { type: 'checked', draft: 1, issues: [], tokens: [0, 4, 7], requests: [0] },
      { type: 'proposals', draft: 1, items: [] },
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
      ...toForm.map(message => judge(isToForm, message)),
      ...fromForm.map(message => judge(isFromForm, message)),
      ...toComposer.map(message => judge(isToComposer, message)),
      ...fromComposer.map(message => judge(isFromComposer, message)),
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
    const rest = { type: 'show', draft, example: '', choice: 0, takesFocus: false };
    const agent = { name: 'a', protocol: 'AICF', modes: ['aicf'] };
    assert.equal(isToComposer({ ...rest, agents: [agent] }), true);
    for (const other of ['a', { ...agent, name: 1 }, { ...agent, modes: ['prose'] }])
      assert.equal(isToComposer({ ...rest, agents: [other] }), false);
    assert.equal(isFromComposer({ ...step, draft: { ...draft, mode: 'french' } }), false);
  });
});
