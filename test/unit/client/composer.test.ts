import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  printDraft,
  proposeForm,
  readWords,
  toStored,
} from '../../../client/src/features/compose/draft-request.ts';
import { writeSnippet } from '../../../client/src/features/compose/snippet.ts';
import { askInTime } from '../../../client/src/agents/questions/in-time.ts';
import { PROTOCOLS } from '../../../core/catalog/protocols.ts';
import { requestAtLine } from '../../../wire/composer-messages.ts';

const RESULT = (data: string): string =>
  `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s],[s:msg_type]:[s:result],[s:data]:${data}]`;

describe('composer', () => {
  it('makes a file of what is written, plain words as a task', () => {
    const drafts = [
      { agent: 'toolbox', form: 'aicf', text: 'CALL|math.add|1|2\nLIST' },
      { agent: '', form: 'aicl', text: '# note\n[d:]\n' },
      { agent: 'planner', form: 'plain', text: ' Plan a trip to C:\\\nby train ]\n' },
    ] as const;
    assert.deepEqual(drafts.map(printDraft), [
      { language: 'aicf', text: '# @agent toolbox\nCALL|math.add|1|2\nLIST\n', head: 17 },
      { language: 'aicl', text: '# note\n[d:]\n', head: 0 },
      {
        language: 'aicl',
        text: [
          '# @agent planner',
          '[d:',
          '  [s:protocol]:[s:LightAICL],',
          '  [s:session_id]:[s:session],',
          '  [s:msg_type]:[s:task_request],',
          '  [s:task]:[s:Plan a trip to C:\\\nby train \\u005D],',
          '  [s:constraints]:[d:]',
          ']',
          '',
        ].join('\n'),
        head: 17,
      },
    ]);
  });

  it('proposes plain words to those who take a task, and AICF to those who have tools alone', () => {
    assert.deepEqual(
      PROTOCOLS.map(({ name }) => [name, proposeForm(name)]),
      [
        ['aicl', 'plain'],
        ['aicf', 'aicf'],
        ['json-rpc', 'aicf'],
        ['aio', 'plain'],
        ['mcp', 'aicf'],
        ['agent-api', 'plain'],
        ['responses', 'plain'],
        ['a2a', 'plain'],
      ],
    );
  });

  it('keeps no credential that a request ends in', () => {
    const text = 'CALL|a|AUTH:hunter2\r\nCALL|b|x\nCALL|c|AUTH: two words';
    assert.deepEqual(toStored({ agent: 'a', form: 'aicf', text }), {
      agent: 'a',
      form: 'aicf',
      text: 'CALL|a\r\nCALL|b|x\nCALL|c',
    });
  });

  it('names the request that a line belongs to', () => {
    assert.deepEqual(
      [
        [[], 3],
        [[2, 4], 0],
        [[2, 4], 2],
        [[2, 4], 3],
        [[2, 4], 9],
      ].map(([lines, line]) => requestAtLine(lines as number[], line as number)),
      [0, 0, 0, 0, 1],
    );
  });

  it('writes a proposal with its first stop selected', () => {
    assert.deepEqual(
      [
        'LIST',
        'CALL|${1:tool}|$0',
        '[s:${2:b}]:[s:${1|one,two\\,x|}]',
        'a\\$b\\}c\\\\d',
        '${1:outer ${2:inner} end}!',
        '$5 costs ${',
        '',
      ].map(writeSnippet),
      [
        { text: 'LIST', select: { start: 4, end: 4 } },
        { text: 'CALL|tool|', select: { start: 5, end: 9 } },
        { text: '[s:b]:[s:one]', select: { start: 9, end: 12 } },
        { text: 'a$b}c\\d', select: { start: 7, end: 7 } },
        { text: 'outer inner end!', select: { start: 0, end: 15 } },
        { text: ' costs ${', select: { start: 0, end: 0 } },
        { text: '', select: { start: 0, end: 0 } },
      ],
    );
  });

  it('takes any snippet as a text no longer than itself', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('$', '{', '}', '1', '|', ',', ':', '\\', 'a') }),
        snippet => {
          const { text, select } = writeSnippet(snippet);
          assert.ok(text.length <= snippet.length);
          assert.ok(0 <= select.start && select.start <= select.end && select.end <= text.length);
        },
      ),
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
