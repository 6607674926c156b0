import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { findFault, readDraft, readWords } from '../../../client/src/composer/draft-request.ts';
import { askInTime } from '../../../client/src/questions/in-time.ts';

const RESULT = (data: string): string =>
  `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s],[s:msg_type]:[s:result],[s:data]:${data}]`;

describe('composer', () => {
  it('makes a task of plain words, and a request of what is one', () => {
    const drafts = [
      { form: 'plain', text: ' Plan a trip to C:\\\nby train ]\n' },
      { form: 'aicf', text: 'CALL|math.add|1|2\n' },
      { form: 'aicf', text: 'LIST' },
      { form: 'aicl', text: ' [d:[s:msg_type]:[s:data_query],[s:query]:[s:embedding]]\n' },
      { form: 'aicl', text: 'no message' },
    ] as const;
    assert.deepEqual(
      drafts.map(draft => readDraft({ agent: 'a', ...draft })),
      [
        {
          language: 'aicl',
          title: 'Plan a trip to C:\\',
          text: [
            '[d:',
            '  [s:protocol]:[s:LightAICL],',
            '  [s:session_id]:[s:parley],',
            '  [s:msg_type]:[s:task_request],',
            '  [s:task]:[s:Plan a trip to C:\\\nby train \\]],',
            '  [s:constraints]:[d:]',
            ']',
          ].join('\n'),
        },
        { language: 'aicf', title: 'math.add', text: 'CALL|math.add|1|2' },
        { language: 'aicf', title: 'LIST', text: 'LIST' },
        {
          language: 'aicl',
          title: 'embedding',
          text: '[d:[s:msg_type]:[s:data_query],[s:query]:[s:embedding]]',
        },
        { language: 'aicl', title: 'AICL message', text: 'no message' },
      ],
    );
  });

  it('sends one request, and nothing that a file would replace first', () => {
    const faults = (form: 'plain' | 'aicf' | 'aicl', text: string): string =>
      findFault({ agent: 'a', form, text })?.split('.')[0] ?? '';
    const [many, people, secret] = [
      'Compose sends one request at a time',
      'A line that begins with # is for people and is never sent',
      'Variables and secrets are replaced in files alone',
    ];
    assert.deepEqual(
      [
        faults('aicf', 'LIST\n'),
        faults('aicf', 'LIST\n\nINFO|a'),
        faults('aicf', '# note'),
        faults('aicf', 'CALL|a|{{secret key}}'),
        faults('aicf', 'CALL|a|{{name}}'),
        faults('aicl', `${RESULT('[s:a]')}\n`),
        faults('aicl', `${RESULT('[s:a]')}\n${RESULT('[s:b]')}`),
        faults('plain', '# A title\nand {{ $env HOME}}'),
        faults('plain', '# A title\nand words'),
      ],
      ['', many, people, secret, '', '', many, secret, ''],
    );
  });

  it('shows the words of a reply, and the whole message where it holds more', () => {
    assert.deepEqual(
      [`${RESULT('[s:one ]')}\n${RESULT('[s:two]')}`, RESULT('[i:1]'), RESULT('[d:]'), '', 'OK|1'].map(
        readWords,
      ),
      ['one two', undefined, undefined, undefined, undefined],
    );
  });
});

describe('a question of an agent', () => {
  it('is answered by none once its call has ended', async () => {
    const call = new AbortController();
    const never = new Promise<string>(() => undefined);
    const asked = askInTime(never, call.signal);
    call.abort();
    assert.deepEqual(
      [await asked, await askInTime(Promise.resolve('late'), call.signal)],
      [undefined, undefined],
    );
    assert.equal(await askInTime(Promise.resolve('yes'), new AbortController().signal), 'yes');
  });
});
