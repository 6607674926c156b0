import { readFileSync } from 'node:fs';
import { fromJsonSchema } from '@modelcontextprotocol/client';

/** Says what is wrong with a value; nothing for one that its receiver takes. */
export type Check = (value: unknown) => readonly string[];

/** Checks values by a JSON Schema. */
function checkBy(schema: object): Check {
  const standard = fromJsonSchema(schema);
  return value => {
    const result = standard['~standard'].validate(value);
    if (result instanceof Promise) throw new Error('A JSON Schema is checked at once');
    return (result.issues ?? []).map(({ message }) => message);
  };
}

/** The models of AgentScope Runtime 1.1.5, as it prints them itself. */
const AGENT_API: unknown = JSON.parse(
  readFileSync(new URL('../fixtures/agent-api.schema.json', import.meta.url), 'utf8'),
);

/** The check of one of these models. */
export function agentApi(name: string): Check {
  if (typeof AGENT_API !== 'object' || AGENT_API === null) throw new Error('The schema is not an object');
  return checkBy({ ...AGENT_API, $ref: `#/$defs/${name}` });
}

export const checkAgentRequest = agentApi('AgentRequest');
export const checkAgentResponse = agentApi('AgentResponse');

const text = { type: 'string' };

function typed(type: string, properties: object, required: readonly string[]): object {
  return {
    type: 'object',
    properties: { type: { const: type }, ...properties },
    required: ['type', ...required],
    additionalProperties: false,
  };
}

/** What OpenAI's reference says of the content of messages (Responses, create: `input`, and the response's `output`). */
const INPUT_PART = {
  oneOf: [
    typed('input_text', { text }, ['text']),
    typed(
      'input_image',
      { detail: { enum: ['low', 'high', 'auto', 'original'] }, image_url: text, file_id: text },
      ['detail'],
    ),
    typed('input_file', { file_data: text, file_url: text, file_id: text, filename: text }, []),
  ],
};
const OUTPUT_PART = {
  oneOf: [
    typed('output_text', { text, annotations: { type: 'array' }, logprobs: { type: 'array' } }, [
      'text',
      'annotations',
    ]),
    typed('refusal', { refusal: text }, ['refusal']),
  ],
};

export const checkResponsesRequest = checkBy({
  type: 'object',
  properties: {
    input: {
      oneOf: [
        text,
        {
          type: 'array',
          items: typed(
            'message',
            {
              role: { enum: ['user', 'system', 'developer'] },
              content: { type: 'array', items: INPUT_PART },
            },
            ['role', 'content'],
          ),
        },
      ],
    },
  },
  required: ['input'],
  additionalProperties: false,
});

export const checkResponse = checkBy({
  type: 'object',
  properties: {
    id: text,
    object: { const: 'response' },
    status: { enum: ['completed'] },
    output: {
      type: 'array',
      items: {
        oneOf: [
          typed(
            'message',
            {
              id: text,
              status: { enum: ['in_progress', 'completed', 'incomplete'] },
              role: { const: 'assistant' },
              content: { type: 'array', items: OUTPUT_PART },
            },
            ['id', 'status', 'role', 'content'],
          ),
          typed(
            'image_generation_call',
            {
              id: text,
              status: { enum: ['in_progress', 'completed', 'generating', 'failed'] },
              result: text,
              output_format: { enum: ['png', 'webp', 'jpeg', 'gif', 'svg'] },
            },
            ['id', 'status', 'result'],
          ),
        ],
      },
    },
  },
  required: ['id', 'object', 'status', 'output'],
});

/** What the document of AIO-MCP 1.2.1 says of values (section 6); more may stand beside. */
const AIO_VALUE = {
  type: 'object',
  properties: { type: { enum: ['text', 'image', 'audio', 'video', 'file'] }, value: text },
  required: ['type', 'value'],
};

export const checkAioRequest = checkBy({
  type: 'object',
  properties: {
    jsonrpc: { const: '2.0' },
    method: { type: 'string', pattern: '^.+::.+$' },
    params: {
      type: 'object',
      properties: { input: AIO_VALUE, inputs: { type: 'array', items: AIO_VALUE } },
      additionalProperties: false,
    },
  },
  required: ['jsonrpc', 'id', 'method', 'params'],
});

export const checkAioReply = checkBy({
  type: 'object',
  properties: { jsonrpc: { const: '2.0' }, output: AIO_VALUE, outputs: { type: 'array', items: AIO_VALUE } },
  required: ['jsonrpc', 'id'],
});

/** Parts of A2A 0.3 (its specification, section 6.5). */
const OLD_PART = {
  oneOf: [
    old('text', { text }, ['text']),
    old('data', { data: { type: 'object' } }, ['data']),
    old(
      'file',
      {
        file: {
          oneOf: [
            {
              type: 'object',
              properties: { bytes: text, mimeType: text, name: text },
              required: ['bytes'],
              additionalProperties: false,
            },
            {
              type: 'object',
              properties: { uri: text, mimeType: text, name: text },
              required: ['uri'],
              additionalProperties: false,
            },
          ],
        },
      },
      ['file'],
    ),
  ],
};

function old(kind: string, properties: object, required: readonly string[]): object {
  return {
    type: 'object',
    properties: { kind: { const: kind }, metadata: { type: 'object' }, ...properties },
    required: ['kind', ...required],
    additionalProperties: false,
  };
}

export const checkOldMessage = checkBy({
  type: 'object',
  properties: {
    kind: { const: 'message' },
    messageId: text,
    role: { enum: ['user', 'agent'] },
    parts: { type: 'array', items: OLD_PART, minItems: 1 },
  },
  required: ['kind', 'messageId', 'role', 'parts'],
});
