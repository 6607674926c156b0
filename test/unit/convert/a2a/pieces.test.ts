import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import { convertText } from '../../../../protocols/convert/convert.ts';

const TASK = { taskId: 't', contextId: 'c' };
const event = (result: object): string => `data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result })}\n\n`;
const artifact = (artifactId: string, text: string, more: object = {}): string =>
  event({ artifactUpdate: { ...TASK, artifact: { artifactId, parts: [{ text }] }, ...more } });
const status = (state: string, text?: string): string => {
  const message = { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text }] };
  const said = text === undefined ? {} : { message };
  return event({ statusUpdate: { ...TASK, status: { state: `TASK_STATE_${state}`, ...said } } });
};
const APPEND = { append: true };

function convert(stream: string, to: 'aicf' | 'aicl' | 'mcp'): string {
  return convertText(stream, { protocols: ALL_PROTOCOLS, from: 'a2a', to, layout: 'compact' }).text;
}

const aicl = (fields: string, type = 'result'): string =>
  `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:c],[s:msg_type]:[s:${type}],${fields}]\n`;
const content = (...texts: readonly string[]): string =>
  `[s:content]:[l:${texts.map(text => `[d:[s:type]:[s:text],[s:text]:[s:${text}]]`).join()}]`;

describe('a streamed task of A2A in a protocol whose streams have one text', () => {
  it('has each artifact whole where their pieces alternate', () => {
    const stream =
      status('WORKING') +
      artifact('a', 'He') +
      artifact('b', 'Wo') +
      artifact('a', 'llo', APPEND) +
      artifact('b', 'rld', APPEND) +
      status('COMPLETED');
    assert.equal(
      convert(stream, 'aicf'),
      'OK|[{"type":"text","text":"Hello"},{"type":"text","text":"World"}]\n',
    );
    assert.equal(convert(stream, 'aicl'), aicl(content('Hello', 'World')));
  });

  it('has the last version of an artifact that was sent again', () => {
    const stream = status('WORKING') + artifact('a', 'Old') + artifact('a', 'New') + status('COMPLETED');
    assert.equal(convert(stream, 'aicf'), 'OK|New\n');
    assert.equal(convert(stream, 'aicl'), aicl('[s:data]:[s:New]'));
  });

  it('has the artifacts before an error', () => {
    const stream = artifact('a', 'One') + artifact('b', 'Two') + status('FAILED', 'no');
    const detail = '[s:detail]:[d:[s:protocol]:[s:a2a],[s:text]:[s:no]]';
    assert.equal(
      convert(stream, 'aicf'),
      'OK|[{"type":"text","text":"One"},{"type":"text","text":"Two"}]\nERR|500|no [a2a]\n',
    );
    assert.equal(
      convert(stream, 'aicl'),
      `${aicl(content('One', 'Two'))}${aicl(`[s:code]:[i:5000],[s:reason]:[s:no],${detail}`, 'error')}`,
    );
  });

  it('has the question after an artifact, and no empty reply behind it', () => {
    const stream = artifact('a', 'He') + artifact('a', 'llo', APPEND) + status('INPUT_REQUIRED', 'Which?');
    assert.equal(
      convert(stream, 'aicf'),
      'OK|[{"type":"text","text":"Hello"},{"type":"text","text":"Which?"}]\n',
    );
    assert.deepEqual(JSON.parse(convert(stream, 'mcp')), {
      jsonrpc: '2.0',
      id: 1,
      result: {
        content: [
          { type: 'text', text: 'Hello' },
          { type: 'text', text: 'Which?' },
        ],
      },
    });
  });

  it('is a stream where it has one artifact', () => {
    const stream =
      artifact('a', 'He') + status('WORKING') + artifact('a', 'llo', APPEND) + status('COMPLETED');
    assert.equal(convert(stream, 'aicf'), 'STREAM|He\nSTREAM|llo\nEND\n');
  });
});
