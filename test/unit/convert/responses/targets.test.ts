import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ConversionName } from '../../../../core/catalog/conversions.ts';
import { convertText } from '../../../../protocols/convert/convert.ts';
import { readMessages } from '../../../../protocols/convert/read-text.ts';
import { Report } from '../../../../core/message/report.ts';

const messagesOf = (text: string, from?: ConversionName): unknown =>
  readMessages(text, { from, report: new Report() }).messages.map(({ message }) => message);

const linesOf = (values: readonly object[]): string =>
  values.map(value => `${JSON.stringify(value)}\n`).join('');

/** Converts messages of plain JSON, and holds the way back to giving the same ones. */
function write(messages: readonly object[], to: ConversionName): readonly unknown[] {
  const source = linesOf(messages);
  const { text, losses } = convertText(source, { to, layout: 'compact' });
  assert.deepEqual(losses, []);
  assert.deepEqual(messagesOf(text, to), messagesOf(source));
  return text
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
}

const userText = (text: string): object => ({
  object: 'message',
  type: 'message',
  role: 'user',
  content: [{ type: 'text', text }],
});

const reply = (id: number, text: string, more: object = {}): object => ({
  object: 'response',
  status: 'completed',
  error: null,
  id: `response_${id}`,
  created_at: 0,
  completed_at: null,
  output: [
    {
      object: 'message',
      id: 'msg_1',
      status: 'completed',
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text }],
    },
  ],
  usage: null,
  session_id: null,
  ...more,
});

describe('messages as the Agent API has them', () => {
  it('say data that is no text once, and mark it', () => {
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
      ),
      [
        reply(1, JSON.stringify(tensor), { parley: { block: 'data-json' } }),
        reply(2, '{"a":1}', { parley: { block: 'content-json' } }),
        reply(3, 'fine', { parley: { block: 'content-text' } }),
        reply(4, '{"tools":[{"name":"shot"}]}', { parley: { block: 'tools-json' } }),
        reply(5, '[1,2]', { parley: { content: 'two', block: 'data-json' } }),
      ],
    );
  });

  it('tell an agent in a text what the protocol has no message for', () => {
    assert.deepEqual(
      write(
        [
          { kind: 'list' },
          { kind: 'describe', tool: 'shot' },
          { kind: 'negotiate', supported: ['1.0'], selected: '1.0' },
          { kind: 'query', query: { city: 'Bern' } },
        ],
        'agent-api',
      ),
      [
        { input: [userText('List the tools')], parley: { kind: 'list' } },
        { input: [userText('Describe the tool shot')], parley: { kind: 'describe', tool: 'shot' } },
        {
          input: [userText('{"supported":["1.0"]}')],
          parley: { kind: 'negotiate', selected: '1.0', block: 'supported-json' },
        },
        { input: [userText('{"city":"Bern"}')], parley: { kind: 'query', block: 'query-json' } },
      ],
    );
  });

  it('keep a text and a mark that do not fit as they are', () => {
    const source = linesOf([
      reply(1, '{"a":1,"a":2}', { parley: { block: 'data-json' } }),
      reply(2, 'List the tools', { parley: { kind: 'list' } }),
    ]);
    assert.deepEqual(convertText(source, { to: 'json', layout: 'compact' }).text.split('\n'), [
      '{"kind":"result","data":"{\\"a\\":1,\\"a\\":2}","rest":{"parley":{"block":"data-json"}}}',
      '{"kind":"list"}',
      '',
    ]);
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
    assert.deepEqual(write([call, { ...call, id: null }, { ...call, arguments: {} }], 'responses'), [
      {
        input: [{ type: 'function_call', call_id: 'call_1', name: 'shot', arguments: '{}' }],
        metadata: { parley: '{"block":"no-arguments"}' },
      },
      {
        input: [{ type: 'function_call', call_id: 'call_0', name: 'shot', arguments: '{}' }],
        metadata: { parley: '{"id":null,"block":"no-arguments"}' },
      },
      { input: [{ type: 'function_call', call_id: 'call_3', name: 'shot', arguments: '{}' }] },
    ]);
    assert.deepEqual(
      convertText(linesOf([call]), { to: 'responses' }).notes.map(({ message }) => message),
      [
        'The request names no model; OpenAI wants `model` before it is sent',
        'OpenAI takes a function_call in the input only together with its function_call_output',
      ],
    );
  });

  it('hold data of any size, which the metadata would not', () => {
    const data = { text: 'x'.repeat(2_000) };
    const { text, notes } = convertText(linesOf([{ kind: 'result', data }]), {
      to: 'responses',
      layout: 'compact',
    });
    assert.deepEqual(notes, []);
    assert.ok(text.length < 2_500, text);
    assert.deepEqual(messagesOf(text), messagesOf(linesOf([{ kind: 'result', data }])));
  });

  it('are what the reader is told that they are, where the Agent API has them as well', () => {
    const response = linesOf([
      { id: 'resp_x', object: 'response', status: 'failed', error: null, output: [] },
    ]);
    const report = new Report();
    const [found] = readMessages(response, { from: 'responses', report }).messages;
    assert.equal(found?.protocol, 'responses');
    assert.deepEqual(report.notes, []);
  });

  it('open and close a reasoning item without a status', () => {
    const item = { id: 'rs_1', type: 'reasoning', summary: [] };
    const events = [
      { type: 'response.output_item.added', sequence_number: 2, output_index: 0, item },
      {
        type: 'response.reasoning_summary_text.delta',
        sequence_number: 3,
        item_id: 'rs_1',
        output_index: 0,
        summary_index: 0,
        delta: 'Hm',
      },
      { type: 'response.output_item.done', sequence_number: 4, output_index: 0, item },
    ];
    const begin = convertText(linesOf([{ kind: 'chunk', event: 'in_progress' }]), { to: 'responses' }).text;
    const source = begin + events.map(event => `data: ${JSON.stringify(event)}\n\n`).join('');
    assert.deepEqual(convertText(source, { to: 'json', layout: 'compact' }).text.split('\n'), [
      '{"kind":"chunk","event":"open","items":[{"type":"reasoning"}]}',
      '{"kind":"chunk","event":"reasoning","data":"Hm"}',
      '{"kind":"chunk","event":"close"}',
      '',
    ]);
  });
});

describe('reasoning and arguments in a stream', () => {
  const parts = linesOf([
    { kind: 'chunk', event: 'reasoning', data: 'Hm' },
    { kind: 'chunk', data: 'Sun' },
    { kind: 'chunk', event: 'arguments', data: '{"ci' },
    { kind: 'end' },
  ]);

  it('are left out of an answer in AICF, and told', () => {
    const { text, losses } = convertText(parts, { to: 'aicf' });
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

  it('are no data of the chunks of LightAICL, and come back', () => {
    const { text, losses } = convertText(parts, { to: 'aicl', layout: 'compact' });
    assert.deepEqual(losses, []);
    const data = [...text.matchAll(/\[s:data\]:\[s:([^\]]*)\],\[s:stream_id\]/g)].map(found => found[1]);
    assert.deepEqual(data, ['', 'Sun', '']);
    assert.deepEqual(messagesOf(text), messagesOf(parts));
  });
});

describe('the end of a stream that says more than that', () => {
  it('is said by the last chunk of LightAICL, which is final', () => {
    const parts = linesOf([
      { kind: 'chunk', data: 'Sun' },
      { kind: 'chunk', data: 'ny' },
      { kind: 'end', rest: { responses: { members: { response: { usage: { total_tokens: 7 } } } } } },
    ]);
    const head = '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:parley],[s:msg_type]:[s:result]';
    const { text, losses } = convertText(parts, { to: 'aicl', layout: 'compact' });
    assert.deepEqual(losses, []);
    assert.deepEqual(text.split('\n'), [
      `${head},[s:data]:[s:Sun],[s:stream_id]:[s:stream_1/2]]`,
      `${head},[s:data]:[s:ny],[s:stream_id]:[s:stream_2/2],[s:is_final]:[b:true],[s:parley]:[d:[s:end]:[d:[s:rest]:[d:[s:responses]:[d:[s:members]:[d:[s:response]:[d:[s:usage]:[d:[s:total_tokens]:[i:7]]]]]]]]]`,
      '',
    ]);
    assert.deepEqual(messagesOf(text), messagesOf(parts));
  });
});

describe('an end that the Agent API has no event for', () => {
  it('ends its stream, and the next one begins anew', () => {
    const ends = linesOf([
      { kind: 'end', rest: { 'agent-api': { params: {} } } },
      { kind: 'end', final: {} },
    ]);
    const { text, losses } = convertText(ends, { to: 'agent-api' });
    assert.deepEqual(losses, []);
    assert.deepEqual(messagesOf(text), messagesOf(ends));
  });
});

describe('a file with requests and a part of a stream', () => {
  const source = linesOf([
    { kind: 'call', tool: 'a', arguments: {} },
    { kind: 'chunk', event: 'progress', data: { progress: 3 } },
    { kind: 'result', data: 'ok' },
  ]);

  for (const to of ['agent-api', 'responses', 'a2a'] as const)
    it(`is lines of JSON in ${to}, which come back`, () => {
      const { text } = convertText(source, { to, layout: 'compact' });
      assert.deepEqual(
        text.split('\n').map(line => line[0]),
        ['{', '{', '{', undefined],
      );
      assert.deepEqual(messagesOf(text), messagesOf(source));
    });
});
