import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { LanguageId } from '../../../core/catalog/languages.ts';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import { LANGUAGE_SUPPORT } from '../../../language/languages.ts';

/** Each landmark as `kind name · container @start`. */
function landmarksOf(language: LanguageId, text: string): readonly string[] {
  const doc = LANGUAGE_SUPPORT[language].open(text, DEFAULT_SETTINGS);
  return doc
    .landmarks()
    .map(({ kind, name, container, span }) => `${kind} ${name} · ${container} @${span.start}-${span.end}`);
}

function exchangesOf(language: LanguageId, text: string): readonly string[] {
  const doc = LANGUAGE_SUPPORT[language].open(text, DEFAULT_SETTINGS);
  return doc
    .exchanges()
    .map(({ kind, name, session, agent, span, replies }) =>
      [kind, name, session, agent, span.start, ...replies.map(({ start }) => start)].join(' '),
    );
}

/** A message of a few characters, so that offsets can be counted. */
function say(type: string, session: string, more = ''): string {
  return `[d:[s:session_id]:[s:${session}],[s:msg_type]:[s:${type}]${more}]`;
}

describe('landmarks', () => {
  it('of AICL are sessions once, and what their messages ask for', () => {
    const [call, again, error] = [
      say('tool_call', 'a', ',[s:tool]:[s:sum]'),
      say('tool_call', 'a', ',[s:tool]:[s:sum]'),
      say('error', 'b', ',[s:reason]:[s:late]'),
    ];
    const text = `${call}${again}${error}\n# @name mine\n${call}[i:1]`;
    const [third, last] = [text.indexOf(error), text.lastIndexOf(call)];
    assert.deepEqual(landmarksOf('aicl', text), [
      `session a ·  @0-${call.length}`,
      `request sum · a @0-${call.length}`,
      `session b ·  @${third}-${third + error.length}`,
      `error late · b @${third}-${third + error.length}`,
      `request mine · a @${last}-${last + call.length}`,
    ]);
    assert.deepEqual(landmarksOf('aicl', ''), []);
  });

  it('of AICF are declared tools and requests, of a context file its sections', () => {
    assert.deepEqual(landmarksOf('aicf', 'TOOL|sum|Adds\n# @name mine\nCALL|sum|1\nCALL|sum|2\nLIST\n'), [
      'tool sum ·  @0-13',
      'request mine ·  @27-37',
      'request sum ·  @38-48',
      'request LIST ·  @49-53',
    ]);
    assert.deepEqual(landmarksOf('aicf', '@NOTES\nx\n@WORK\n'), [
      'section @NOTES ·  @0-8',
      'section @WORK ·  @9-14',
    ]);
    assert.deepEqual(landmarksOf('aicf', ''), []);
  });
});

describe('exchanges', () => {
  it('of AICL give each reply to the oldest open request of its session, a stream as one', () => {
    const text = [
      say('task_request', 'a', ',[s:task]:[s:t]'),
      say('result', 'b'),
      say('tool_call', 'a', ',[s:tool]:[s:x]'),
      say('data_query', 'b'),
      say('result', 'a', ',[s:stream_id]:[s:c_1/2]'),
      say('error', 'a'),
      say('result', 'a', ',[s:stream_id]:[s:c_2/2]'),
      say('result', 'a'),
      say('result', 'b'),
    ];
    const at = text.map((_, index) => text.slice(0, index).join('').length);
    assert.deepEqual(exchangesOf('aicl', text.join('')), [
      `task t a  ${at[0]} ${at[4]} ${at[6]}`,
      `call x a  ${at[2]} ${at[5]}`,
      `query data_query b  ${at[3]} ${at[8]}`,
    ]);
  });

  it('know the agent of the line above', () => {
    const call = say('tool_call', 'a', ',[s:tool]:[s:x]');
    assert.deepEqual(exchangesOf('aicl', `# @agent coder\n${call}\n${call}`), [
      'call x a coder 15',
      `call x a  ${16 + call.length}`,
    ]);
    assert.deepEqual(exchangesOf('aicf', '# @agent coder\nCALL|x\nCALL|x'), [
      'call x  coder 15',
      'call x   22',
    ]);
  });

  it('of AICF take the lines up to the next request as one reply', () =>
    assert.deepEqual(exchangesOf('aicf', 'OK\nINFO|x\nSTREAM|a\n\nEND\nLIST\nNEW|a\nERR|404|x\n'), [
      'query INFO x   3 10',
      'query LIST   24',
      'call NEW   29 35',
    ]));

  it('of an empty and of a context file are none', () => {
    assert.deepEqual(exchangesOf('aicl', ''), []);
    assert.deepEqual(exchangesOf('aicf', ''), []);
    assert.deepEqual(exchangesOf('aicf', '@NOTES\nOK'), []);
  });
});
