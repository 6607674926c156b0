import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ProtocolName } from '../../../core/catalog/protocols.ts';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { recogniseReply } from '../../../protocols/recognise/reply.ts';

/** The usage that a reply reports: one value as a body, several as events. */
function usageOf(protocol: ProtocolName, ...values: readonly object[]): unknown {
  const texts = values.map(value => JSON.stringify(value));
  const text = values.length === 1 ? (texts[0] ?? '') : texts.map(each => `data: ${each}\n\n`).join('');
  return recogniseReply(ALL_PROTOCOLS.find(protocol), text).usage;
}

const ALL = { model: 'm', input: 9, output: 5, cached: 4, reasoning: 2 };
const USAGE = {
  input_tokens: 9,
  input_tokens_details: { cached_tokens: 4 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 2 },
};
const result = (value: object): object => ({ jsonrpc: '2.0', id: 1, result: value });

describe('the tokens that a reply reports', () => {
  const places: readonly (readonly [name: string, protocol: ProtocolName, value: object])[] = [
    ['Responses', 'responses', { object: 'response', status: 'completed', model: 'm', usage: USAGE }],
    ['Agent API', 'agent-api', { object: 'response', status: 'completed', model: 'm', usage: USAGE }],
    [
      'AIO, beside the output',
      'aio',
      { id: 1, result: { type: 'text', value: 'x' }, model: 'm', usage: USAGE },
    ],
    ['AIO, in the output', 'aio', { id: 1, output: { type: 'text', value: 'x', model: 'm', usage: USAGE } }],
    ['MCP', 'mcp', result({ content: [], _meta: { model: 'm', usage: USAGE } })],
    ['A2A 1.0, a message', 'a2a', result({ message: { parts: [], metadata: { model: 'm', usage: USAGE } } })],
    [
      'A2A 1.0, the message of a status',
      'a2a',
      result({
        statusUpdate: { status: { message: { parts: [], metadata: { model: 'm', usage: USAGE } } } },
      }),
    ],
    ['A2A 0.3, a task', 'a2a', result({ kind: 'task', metadata: { model: 'm', usage: USAGE } })],
    [
      'A2A, under a name of the agent',
      'a2a',
      result({ kind: 'task', metadata: { 'https://a.example/usage/v1': { model: 'm', ...USAGE } } }),
    ],
    [
      'names of chat completions',
      'responses',
      {
        object: 'response',
        model: 'm',
        usage: {
          prompt_tokens: 9,
          prompt_tokens_details: { cached_tokens: 4, audio_tokens: 0 },
          completion_tokens: 5,
          completion_tokens_details: { reasoning_tokens: 2 },
          total_tokens: 14,
        },
      },
    ],
    [
      'names of Gemini in an agent of the ADK',
      'a2a',
      result({
        kind: 'task',
        metadata: {
          adk_usage_metadata: {
            model_version: 'm',
            prompt_token_count: 9,
            cached_content_token_count: 4,
            candidates_token_count: 5,
            thoughts_token_count: 2,
          },
        },
      }),
    ],
    [
      'names of LangChain',
      'agent-api',
      {
        object: 'response',
        model: 'm',
        usage_metadata: {
          input_tokens: 9,
          input_token_details: { cache_read: 4 },
          output_tokens: 5,
          output_token_details: { reasoning: 2 },
        },
      },
    ],
  ];
  for (const [name, protocol, value] of places)
    it(`are found: ${name}`, () => assert.deepEqual(usageOf(protocol, value), ALL));

  it('are merged by member: a later value replaces, and a missing one stays', () => {
    const event = (more: object): object => ({ type: 'response.in_progress', response: more });
    assert.deepEqual(
      usageOf(
        'responses',
        event({ object: 'response', model: 'm', usage: null }),
        event({ object: 'response', model: 'm', usage: { input_tokens: 1, output_tokens: 1 } }),
        event({
          object: 'response',
          usage: { input_tokens: 9, input_tokens_details: { cached_tokens: 4 }, output_tokens_details: null },
        }),
        event({
          object: 'response',
          usage: { output_tokens: 5, output_tokens_details: { reasoning_tokens: 2 } },
        }),
      ),
      ALL,
    );
  });

  it('are no counts that are negative, texts or fractions, and a count may be written with a fraction of zero', () => {
    const usage = { input_tokens: -1, output_tokens: '5', cached_tokens: 0.5, reasoning_tokens: 0 };
    assert.deepEqual(usageOf('responses', { object: 'response', usage }), { reasoning: 0 });
    const text = '{"object":"response","usage":{"input_tokens":9.0}}';
    assert.deepEqual(recogniseReply(ALL_PROTOCOLS.find('responses'), text).usage, { input: 9 });
  });

  it('have no model of what a tool answers', () => {
    const car = { model: 'Roadster', price: 9 };
    assert.deepEqual(usageOf('json-rpc', result(car)), undefined);
    assert.deepEqual(usageOf('aio', { id: 1, output: car }), undefined);
    assert.deepEqual(usageOf('agent-api', { object: 'content', type: 'data', data: car }), undefined);
    assert.deepEqual(usageOf('json-rpc', result({ model: 'm', usage: { input_tokens: 9 } })), {
      model: 'm',
      input: 9,
    });
  });
});
