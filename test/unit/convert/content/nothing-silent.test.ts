import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ConversionName } from '../../../../core/catalog/conversions.ts';
import { convertText, type Converted } from '../../../../protocols/convert/convert.ts';

/** Each word of a message is its own, so that a missing one is found. */
const RESPONSES_REPLY = {
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  output: [
    {
      type: 'reasoning',
      id: 'w-reasoning',
      summary: [{ type: 'summary_text', text: 'w-summary' }],
      encrypted_content: 'w-encrypted',
      content: [{ type: 'reasoning_text', text: 'w-thought' }],
    },
    {
      type: 'function_call',
      id: 'w-item',
      call_id: 'w-call',
      name: 'w-tool',
      arguments: '{"a":"w-argument"}',
      status: 'completed',
    },
    {
      type: 'image_generation_call',
      id: 'w-image',
      status: 'completed',
      result: 'iVBORw0KGgo=',
      output_format: 'png',
      revised_prompt: 'w-prompt',
    },
    {
      type: 'message',
      id: 'w-message',
      role: 'assistant',
      status: 'completed',
      content: [
        {
          type: 'output_text',
          text: 'w-text',
          annotations: [
            { type: 'url_citation', url: 'w-url', title: 'w-title', start_index: 0, end_index: 1 },
          ],
        },
      ],
    },
    {
      type: 'message',
      id: 'w-last',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'w-end', annotations: [] }],
    },
  ],
};

const RESPONSES_REQUEST = {
  input: [
    { role: 'system', content: 'w-system' },
    {
      role: 'user',
      content: [
        { type: 'input_text', text: 'w-question' },
        { type: 'input_image', detail: 'high', image_url: 'https://example.org/w-picture' },
        { type: 'input_file', filename: 'w-name', file_data: 'data:application/pdf;base64,JVBERi0=' },
      ],
    },
    { type: 'function_call', call_id: 'w-call', name: 'w-tool', arguments: '{"a":"w-argument"}' },
    {
      type: 'function_call_output',
      call_id: 'w-answered',
      output: [
        { type: 'input_text', text: 'w-output' },
        { type: 'input_image', detail: 'auto', image_url: 'https://example.org/w-shown' },
      ],
    },
    { role: 'user', content: 'w-again' },
  ],
};

const agentMessage = (type: string, content: readonly object[], more: object = {}): object => ({
  ...{ object: 'message', type, role: 'assistant', status: 'completed', content },
  ...more,
});

const AGENT_REPLY = {
  object: 'response',
  status: 'completed',
  output: [
    agentMessage('reasoning', [{ type: 'text', text: 'w-thought' }], { metadata: { a: 'w-about-thought' } }),
    agentMessage('message', [
      { type: 'text', text: 'w-text' },
      { type: 'file', file_id: 'w-file', filename: 'w-name' },
    ]),
    agentMessage('message', [{ type: 'text', text: 'w-more' }], { metadata: { b: 'w-about-text' } }),
    agentMessage('error', [], { status: 'failed', code: 'w-code', message: 'w-reason' }),
  ],
};

const MESSAGES = {
  responses: [RESPONSES_REQUEST, RESPONSES_REPLY],
  'agent-api': [AGENT_REPLY],
} as const;

const TARGETS = ['aio', 'mcp', 'agent-api', 'responses', 'a2a', 'aicl', 'json-rpc', 'json'] as const;

function convert(given: object, from: ConversionName, to: ConversionName): Converted {
  return convertText(JSON.stringify(given), { protocols: ALL_PROTOCOLS, from, to, layout: 'compact' });
}

/** The words of each item, and its place in the message. */
function listWords(given: object): readonly (readonly [word: string, path: string])[] {
  const items = 'input' in given ? given.input : 'output' in given ? given.output : [];
  assert.ok(Array.isArray(items));
  return items.flatMap((item: unknown, index) =>
    (JSON.stringify(item).match(/w-[a-z-]+/g) ?? []).map(word => [word, `items[${index}]`] as const),
  );
}

describe('the items of a conversation', () => {
  for (const [from, messages] of Object.entries(MESSAGES))
    for (const to of TARGETS)
      it(`are in ${to} as they were in ${from}, or the report names the item`, () => {
        const source = from === 'responses' ? from : 'agent-api';
        for (const given of messages) {
          const { text, losses } = convert(given, source, to);
          for (const [word, path] of listWords(given)) {
            // A target with one content for all items reports the parts of that.
            const isReported = losses.some(
              ({ kind, path: at }) =>
                kind === 'dropped' && (at.startsWith(path) || at.startsWith('content[')),
            );
            assert.ok(text.includes(word) || isReported, `${word} of ${path}: ${JSON.stringify(losses)}`);
          }
          if (source === to) assert.deepEqual(losses, []);
        }
      });

  it('keep the citations and the detail that only Responses has', () => {
    const reply = convert(RESPONSES_REPLY, 'responses', 'responses').text;
    assert.ok(reply.includes('"annotations":[{"type":"url_citation","url":"w-url"'), reply);
    const request = convert(RESPONSES_REQUEST, 'responses', 'responses').text;
    assert.ok(request.includes('"detail":"high"'), request);
  });

  it('name each member that is dropped, and no other one', () => {
    const { losses } = convert(AGENT_REPLY, 'agent-api', 'responses');
    assert.deepEqual(
      losses.map(({ kind, path, message }) => `${kind} ${path}: ${message}`),
      [
        'moved items[1]: A reply of Responses has no file that is named by an id; it is written as a text',
        'dropped items[0]: Responses has no place for fields that only Agent API has: metadata',
        'dropped items[1].content[1].name: Responses has no place for the name of such a part',
        'dropped items[2]: Responses has no place for fields that only Agent API has: metadata',
        'dropped items[3]: Responses has no place for the content of an item that only Agent API has',
      ],
    );
  });
});

describe('numbers and values that others read', () => {
  const BIG = '123456789012345678901234567890';
  const CALL = `{"jsonrpc":"2.0","id":${BIG},"result":{"content":[],"structuredContent":{"i":${BIG}}}}`;
  const opened = (text: string): string => text.replaceAll('\\', '');

  for (const to of ['aio', 'mcp', 'agent-api', 'responses', 'a2a', 'json-rpc', 'aicf'] as const)
    it(`are integers of any size in ${to}`, () => {
      const { text } = convertText(CALL, { protocols: ALL_PROTOCOLS, from: 'mcp', to, layout: 'compact' });
      assert.ok(opened(text).includes(`"i":${BIG}`), text);
      assert.doesNotMatch(text, /\$int/);
    });

  it('have the notation of integers in plain typed JSON alone', () => {
    const { text } = convertText(CALL, {
      protocols: ALL_PROTOCOLS,
      from: 'mcp',
      to: 'json',
      layout: 'compact',
    });
    assert.ok(text.includes(`"i":{"$int":"${BIG}"}`), text);
  });

  it('are noted where the protocol has no such value', () => {
    const message =
      '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:1],[s:msg_type]:[s:result],[s:data]:[d:[s:a]:[t:uint8:2:0f8],[s:b]:[f:nan]]]';
    const notes = (text: string, to: ConversionName): readonly string[] =>
      convertText(text, { protocols: ALL_PROTOCOLS, to, layout: 'compact' }).notes.map(note => note.message);
    assert.deepEqual(notes(message, 'mcp'), [
      'JSON has no tensors; the reader gets {"$tensor":…}',
      'JSON has no number for nan; the reader gets {"$float":"nan"}',
    ]);
    assert.deepEqual(notes(message, 'json'), []);
    assert.deepEqual(notes('{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"a":null}}}', 'aicl'), [
      'AICL has no null; the reader gets [d:[s:$null]:[b:true]]',
    ]);
  });
});
