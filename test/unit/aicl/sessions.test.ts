import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { DEFAULT_SETTINGS, readSettings } from '../../../core/catalog/settings.ts';
import { LANGUAGE_SUPPORT } from '../../../language/languages.ts';

function message(session: string, type: string, fields: string): string {
  return `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:${session}],[s:msg_type]:[s:${type}],${fields}]\n`;
}
const query = (session: string, format = ''): string =>
  message(session, 'data_query', `[s:query]:[s:x]${format && `,[s:data_format]:[s:${format}]`}`);
const result = (session: string, more = ''): string =>
  message(session, 'result', `[s:data]:[s:x]${more && `,${more}`}`);
const chunk = (session: string, id: string): string => {
  const [, k, n] = /(\d+)\/(\d+)/.exec(id) ?? [];
  return result(session, `[s:stream_id]:[s:${id}],[s:is_final]:[b:${k === n}]`);
};

/** Each issue as its line in the file, from 1, and its message. */
function find(text: string, settings = DEFAULT_SETTINGS): readonly string[] {
  const doc = LANGUAGE_SUPPORT.aicl.open(text, settings);
  return doc
    .validate()
    .map(({ span, message: said }) => `${text.slice(0, span.start).split('\n').length}: ${said}`);
}

const OPEN = 'has no answer: neither a result nor an error follows for it';

describe('AICL messages of one session', () => {
  it('each reply answers the oldest open request of its own session', () => {
    assert.deepEqual(find(query('a') + query('b') + result('b') + result('a')), []);
    assert.deepEqual(find(query('a') + query('b') + query('a') + result('a') + result('b')), [
      `3: This request of the session 'a' ${OPEN}`,
    ]);
    assert.deepEqual(find(query('a') + message('a', 'error', '[s:code]:[i:5000],[s:reason]:[s:x]')), []);
  });

  it('a negotiation is no request, and a reply before a request is no answer to it', () => {
    assert.deepEqual(find(message('a', 'protocol_negotiate', '[s:supported]:[l:]') + result('a')), []);
    assert.deepEqual(find(result('a') + query('a')), [`2: This request of the session 'a' ${OPEN}`]);
  });

  it('a stream is one answer, whatever the order of its chunks', () => {
    const stream = chunk('a', 'c_2/3') + chunk('a', 'c_1/3') + chunk('a', 'c_3/3');
    assert.deepEqual(find(query('a') + stream), []);
    assert.deepEqual(find(query('a') + query('a') + stream), [`2: This request of the session 'a' ${OPEN}`]);
  });

  it('a stream whose sender does not know its total yet declares one chunk more in each', () => {
    const growing = chunk('a', 'c_1/2') + chunk('a', 'c_2/3');
    assert.deepEqual(find(query('a') + growing + chunk('a', 'c_3/3')), []);
    assert.deepEqual(find(growing), ["2: There is no chunk 3 of 'c' after this one: the stream has no end"]);
    assert.deepEqual(find(chunk('a', 'c_1/3') + chunk('a', 'c_2/4')).length, 2);
  });

  it('streams are distinguished by session and name, and a name may be used again when its stream is complete', () => {
    assert.deepEqual(find(chunk('a', 'c_1/2') + chunk('b', 'c_2/2') + chunk('a', 'd_2/2')), [
      "1: There is no chunk 2 of 'c' after this one: the stream has no end",
      "2: There is no chunk 1 of 'c' before this one: the stream has a gap",
      "3: There is no chunk 1 of 'd' before this one: the stream has a gap",
    ]);
    const whole = chunk('a', 'c_1/2') + chunk('a', 'c_2/2');
    assert.deepEqual(find(query('a') + query('a') + whole + whole), []);
    assert.deepEqual(find(whole + chunk('a', 'c_2/2')), [
      "3: Chunk 2 of 'c' is there already: number each chunk once",
    ]);
  });

  it('holds a result to the type that its own query asked for', () => {
    const asked = query('a') + query('a', 'list');
    assert.deepEqual(find(asked + result('a') + result('a')), [
      '4: The query that this answers requests a list, not a text: send the data in that form (error 4001)',
    ]);
    assert.deepEqual(find(query('a', 'string') + result('a')), []);
    assert.deepEqual(find(query('a', 's') + result('a')), []);
  });

  it('follows edits, and the severity that the user gave to its rules', () => {
    const text = query('a') + query('a') + result('a');
    const doc = LANGUAGE_SUPPORT.aicl.open(text, DEFAULT_SETTINGS);
    assert.equal(doc.validate().length, 1);
    const span = { start: text.length, end: text.length };
    assert.deepEqual(doc.edit({ span, newText: result('a') }).validate(), []);
    const off = readSettings(key => (key === 'rules' ? { 'aicl/unanswered-request': 'off' } : undefined));
    assert.deepEqual(find(text, off), []);
  });
});
