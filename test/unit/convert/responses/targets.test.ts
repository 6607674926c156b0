import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ConversionName } from '../../../../core/catalog/conversions.ts';
import { convertText } from '../../../../protocols/convert/convert.ts';
import { readMessages } from '../../../../protocols/convert/read-text.ts';
import type { Message } from '../../../../core/message/message.ts';
import { areSameMessages } from '../../../support/conversions.ts';
import { Report } from '../../../../core/message/report.ts';

const messagesOf = (text: string, from?: ConversionName): readonly Message[] =>
  readMessages(text, { protocols: ALL_PROTOCOLS, from, report: new Report() }).messages.map(
    ({ message }) => message,
  );

const linesOf = (values: readonly object[]): string =>
  values.map(value => `${JSON.stringify(value)}\n`).join('');

/** Converts messages of plain JSON; without a report the result means the same when it is read. */
function write(
  messages: readonly object[],
  to: ConversionName,
  reported: readonly string[] = [],
): readonly unknown[] {
  const source = linesOf(messages);
  const { text, losses } = convertText(source, { protocols: ALL_PROTOCOLS, to, layout: 'compact' });
  assert.deepEqual(
    losses.map(({ kind, path }) => `${kind} ${path}`),
    reported,
  );
  if (reported.length === 0) assert.ok(areSameMessages(messagesOf(text, to), messagesOf(source)));
  return text
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
}

const reply = (id: number, ...content: readonly object[]): object => ({
  object: 'response',
  status: 'completed',
  error: null,
  id: `response_${id}`,
  created_at: 0,
  completed_at: null,
  output: [
    { object: 'message', id: 'msg_1', status: 'completed', type: 'message', role: 'assistant', content },
  ],
  usage: null,
  session_id: null,
});

const text = (said: string): object => ({ type: 'text', text: said });

describe('messages as the Agent API has them', () => {
  it('have data as data where it is an object, and else as a text of JSON', () => {
    const tensor = { $tensor: { dtype: 'float32', shape: [1], base64: 'AAAAAA==' } };
    assert.deepEqual(
      write(
        [
          { kind: 'result', data: tensor },
          { kind: 'result', content: { a: 1 } },
          { kind: 'result', content: 'fine' },
          { kind: 'result', tools: [{ name: 'shot' }] },
          { kind: 'result', data: [1, 2], content: 'two' },
        ],
        'agent-api',
        ['moved [1].data', 'moved [4].tools', 'moved [5].content[1]'],
      ),
      [
        reply(1, text(JSON.stringify(tensor))),
        reply(2, { type: 'data', data: { a: 1 } }),
        reply(3, text('fine')),
        reply(4, { type: 'data', data: { tools: [{ name: 'shot' }] } }),
        reply(5, text('two'), text('[1,2]')),
      ],
    );
  });

  it('tell an agent in a message what the protocol has no message for', () => {
    const said = (...content: readonly object[]): object => ({
      input: [{ object: 'message', type: 'message', role: 'user', content }],
    });
    assert.deepEqual(
      write(
        [
          { kind: 'list' },
          { kind: 'describe', tool: 'shot' },
          { kind: 'negotiate', supported: ['1.0'], selected: '1.0' },
          { kind: 'query', query: { city: 'Bern' } },
        ],
        'agent-api',
        ['moved [1]', 'moved [2]', 'moved [3]', 'moved [4]'],
      ),
      [
        said(text('Which tools do you have?')),
        said(text('What does the tool shot do?')),
        said({ type: 'data', data: { supported: ['1.0'], selected: '1.0' } }),
        said({ type: 'data', data: { city: 'Bern' } }),
      ],
    );
  });

  it('have the number of their request for an id, and none of another reply', () => {
    const ids = write(
      [
        { kind: 'call', tool: 'a', arguments: {} },
        { kind: 'call', tool: 'b', arguments: {}, id: 9 },
        { kind: 'error', text: 'no', code: 1000, protocol: 'aicl' },
        { kind: 'result', data: 'two', id: 9 },
      ],
      'agent-api',
    ).map(value => (value !== null && typeof value === 'object' && 'id' in value ? value.id : undefined));
    assert.deepEqual(ids, [undefined, undefined, 'response_1', 'response_9']);
  });
});

describe('messages as OpenAI has them', () => {
  it('give a function call the arguments and the id that it must have', () => {
    const call = { kind: 'call', tool: 'shot' };
    const calls = [call, { ...call, id: null }, { ...call, arguments: {} }];
    const written = (id: string): object => ({
      input: [{ type: 'function_call', call_id: id, name: 'shot', arguments: '{}' }],
    });
    assert.deepEqual(write(calls, 'responses', ['moved [2].id']), [
      written('call_1'),
      written('call_0'),
      written('call_3'),
    ]);
    assert.deepEqual(
      convertText(linesOf([call]), { protocols: ALL_PROTOCOLS, to: 'responses' }).notes.map(
        ({ message }) => message,
      ),
      [
        'The request names no model; OpenAI requires `model`',
        'OpenAI takes a function_call in the input only together with its function_call_output',
      ],
    );
  });

  it('are what the options say, where the Agent API has them as well', () => {
    const response = linesOf([
      { id: 'resp_x', object: 'response', status: 'failed', error: null, output: [] },
    ]);
    const report = new Report();
    const [found] = readMessages(response, { protocols: ALL_PROTOCOLS, from: 'responses', report }).messages;
    assert.equal(found?.protocol, 'responses');
    assert.deepEqual(report.notes, []);
  });
});

describe('reasoning and arguments in a stream', () => {
  const parts = linesOf([
    { kind: 'chunk', event: 'reasoning', data: 'Hm' },
    { kind: 'chunk', data: 'Sun' },
    { kind: 'chunk', event: 'arguments', data: '{"ci' },
    { kind: 'end' },
  ]);

  it('are left out of an answer in AICF, and reported', () => {
    const { text, losses } = convertText(parts, { protocols: ALL_PROTOCOLS, to: 'aicf' });
    assert.equal(text, 'STREAM|Sun\nEND\n');
    assert.deepEqual(
      losses.map(({ kind, path, message }) => [kind, path, message]),
      [
        [
          'dropped',
          '[1]',
          'A stream in AICF is the text of an answer, so a part of the reasoning is left out',
        ],
        [
          'dropped',
          '[3]',
          "A stream in AICF is the text of an answer, so a part of a call's arguments is left out",
        ],
      ],
    );
  });

  it('are not data of the chunks of LightAICL, and reported', () => {
    const { text: chunks, losses } = convertText(parts, {
      protocols: ALL_PROTOCOLS,
      to: 'aicl',
      layout: 'compact',
    });
    const reported = losses.map(({ kind, message }) => `${kind}: ${message}`);
    assert.ok(
      reported.includes(
        'dropped: The chunks of LightAICL are an answer, so a part of the reasoning is left out',
      ),
    );
    const data = [...chunks.matchAll(/\[s:data\]:\[s:([^\]]*)\],\[s:stream_id\]/g)].map(found => found[1]);
    assert.deepEqual(data, ['', 'Sun', '']);
  });
});

describe('a file with requests and a part of a stream', () => {
  const source = linesOf([
    { kind: 'call', tool: 'a', arguments: {} },
    { kind: 'chunk', event: 'progress', data: { progress: 3 } },
    { kind: 'result', data: 'ok' },
  ]);

  for (const to of ['agent-api', 'responses', 'a2a'] as const)
    it(`is lines of JSON in ${to}`, () => {
      const { text: lines } = convertText(source, { protocols: ALL_PROTOCOLS, to, layout: 'compact' });
      assert.deepEqual(
        lines.split('\n').map(line => line[0]),
        ['{', '{', '{', undefined],
      );
    });
});
