import { NO_TOOLS } from '../../../language/tools.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parseJson } from '../../../core/text/json.ts';
import { readJsonValue } from '../../../language/values/json-reader.ts';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { AGENT_API_PARAMETERS } from '../../../protocols/agent-api/parameters.ts';
import { checkRequest } from '../../../protocols/agent-api/request-check.ts';
import { writeConverted, type WrittenRequest } from '../../../protocols/convert/calls/convertible-request.ts';
import { readMessages } from '../../../protocols/convert/read-text.ts';
import { Report } from '../../../core/message/report.ts';
import { protocolOf } from '../../support/protocol.ts';
import { convertText } from '../../../protocols/convert/convert.ts';

const TOOL = { type: 'function', function: { name: 'f', description: 'd', parameters: { type: 'object' } } };

/** A value of each parameter of the document. */
const PARAMETERS = {
  model: 'gpt-4-vision',
  stream: false,
  top_p: 0.5,
  temperature: 1,
  frequency_penalty: 0.1,
  presence_penalty: -0.1,
  max_tokens: 10,
  stop: ['a', 'b'],
  n: 5,
  seed: 7,
  tools: [TOOL],
  response_id: 'response_1',
};

/** A conversation with each role, and contents that only the Agent API names so. */
const INPUT = [
  { object: 'message', type: 'message', role: 'system', content: [{ type: 'text', text: 'Be short' }] },
  {
    object: 'message',
    type: 'message',
    role: 'user',
    content: [
      { type: 'text', text: 'Describe' },
      { type: 'image', image_url: 'https://example.org/a.png' },
      { type: 'file', file_id: 'file_1' },
    ],
  },
  {
    object: 'message',
    type: 'function_call',
    role: 'assistant',
    content: [{ type: 'data', data: { call_id: 'c', name: 'f', arguments: '{}' } }],
  },
  {
    object: 'message',
    type: 'function_call_output',
    role: 'tool',
    content: [{ type: 'data', data: { call_id: 'c', output: 'x' } }],
  },
];

const USER = {
  object: 'message',
  type: 'message',
  role: 'user',
  content: [{ type: 'text', text: 'Describe this image' }],
};

function convert(
  text: string,
  to: 'aicl' | 'agent-api' | 'responses',
  from?: string,
): { readonly text: string; readonly losses: readonly string[] } {
  const { text: written, losses } = convertText(text, {
    protocols: ALL_PROTOCOLS,
    to,
    from,
    layout: 'compact',
  });
  return { text: written, losses: losses.map(({ path, message }) => `${path}: ${message}`) };
}

function task(constraints: string): string {
  return `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s],[s:msg_type]:[s:task_request],[s:task]:[s:go],[s:constraints]:[d:${constraints}]]`;
}

function checked(request: unknown): readonly string[] {
  const value = readJsonValue(JSON.stringify(request));
  assert.ok(value);
  return checkRequest(value);
}

describe('the parameters of a request of the Agent API', () => {
  it('are those of the document', () => {
    assert.deepEqual(
      AGENT_API_PARAMETERS.map(({ name }) => name),
      Object.keys(PARAMETERS),
    );
  });

  it('are constraints of an AICL task, with messages of every role, and come back the same', () => {
    const request = { input: INPUT, session_id: 's1', ...PARAMETERS };
    const aicl = convert(JSON.stringify(request), 'aicl');
    assert.match(aicl.text, /\[s:constraints\]:\[d:\[s:model\]:\[s:gpt-4-vision\],\[s:stream\]:\[b:false\]/);
    const back = convert(aicl.text, 'agent-api');
    assert.deepEqual([aicl.losses, back.losses, JSON.parse(back.text)], [[], [], request]);
  });

  it('keep their meaning in Responses and back: the query of the document has its model', () => {
    const request = { input: [USER], model: 'gpt-4-vision', stream: true };
    const responses = convert(JSON.stringify(request), 'responses');
    assert.deepEqual(
      [JSON.parse(responses.text), responses.losses],
      [{ model: 'gpt-4-vision', input: 'Describe this image', stream: true }, []],
    );
    const back = convert(responses.text, 'agent-api', 'responses');
    assert.deepEqual([JSON.parse(back.text), back.losses], [request, []]);
  });

  it('have the names of Responses there, and those that it lacks are data with a loss', () => {
    const { text, losses } = convert(JSON.stringify({ input: [USER], ...PARAMETERS }), 'responses');
    const lacking = '{"frequency_penalty":0.1,"presence_penalty":-0.1,"stop":["a","b"],"n":5,"seed":7}';
    assert.deepEqual(
      [JSON.parse(text), losses],
      [
        {
          model: 'gpt-4-vision',
          input: [
            {
              type: 'message',
              role: 'user',
              content: [
                { type: 'input_text', text: 'Describe this image' },
                { type: 'input_text', text: lacking },
              ],
            },
          ],
          stream: false,
          top_p: 0.5,
          temperature: 1,
          max_output_tokens: 10,
          tools: [{ type: 'function', name: 'f', description: 'd', parameters: { type: 'object' } }],
          previous_response_id: 'response_1',
        },
        [
          'constraints: Responses has no parameters frequency_penalty, presence_penalty, stop, n, seed; they are data after the task',
          'content[1]: Responses has no data; it is written as a text',
        ],
      ],
    );
  });

  it('leave a function with a member that only OpenAI has as it is', () => {
    const request = { input: 'Hi', model: 'm', tools: [{ type: 'function', name: 'f', strict: true }] };
    const { text } = convert(JSON.stringify(request), 'responses', 'responses');
    assert.deepEqual(JSON.parse(text), request);
  });

  for (const [constraints, sent, losses] of [
    ['[s:temperature]:[f:0.5],[s:stop]:[s:end]', { temperature: 0.5, stop: 'end' }, []],
    [
      '[s:temperature]:[s:hot],[s:seed]:[i:1]',
      { seed: 1, data: { temperature: 'hot' } },
      [
        'constraints: The Agent API takes temperature only as a number; such constraints are data after the task',
      ],
    ],
    [
      '[s:n]:[i:6]',
      { data: { n: 6 } },
      [
        'constraints: The Agent API takes n only as a whole number from 1 to 5; such constraints are data after the task',
      ],
    ],
    [
      '[s:style]:[s:short],[s:n]:[i:2]',
      { n: 2, data: { style: 'short' } },
      ['constraints: The Agent API has no parameter style; they are data after the task'],
    ],
  ] as const)
    it(`of an AICL task: ${constraints}`, () => {
      const converted = convert(task(constraints), 'agent-api');
      const { input, session_id, ...parameters } = JSON.parse(converted.text) as {
        readonly input: readonly { readonly content: readonly { readonly data?: unknown }[] }[];
        readonly session_id: string;
      };
      const data = input[0]?.content[1]?.data;
      assert.deepEqual(
        [session_id, { ...parameters, ...(data === undefined ? {} : { data }) }, converted.losses],
        ['s', sent, losses],
      );
    });
});

describe('a task for an agent', () => {
  const write = (
    protocol: 'agent-api' | 'responses',
    aicl: string,
    fixed?: readonly string[],
  ): WrittenRequest => {
    const { messages } = readMessages(aicl, {
      protocols: ALL_PROTOCOLS,
      from: 'aicl',
      tools: NO_TOOLS,
      report: new Report(),
    });
    const asked = messages[0]?.message;
    assert.ok(asked);
    return writeConverted(asked, protocolOf(protocol), NO_TOOLS, fixed);
  };

  it('names its model, except where the entry of the agent does', () => {
    const aicl = task('[s:model]:[s:big],[s:temperature]:[i:1]');
    assert.deepEqual(
      [write('responses', aicl), write('responses', aicl, ['model'])].map(({ text, notes }) => [
        parseJson(text),
        notes,
      ]),
      [
        [{ model: 'big', input: 'go', temperature: 1 }, ['session: Responses has no place for a session']],
        [
          {
            input: [
              {
                type: 'message',
                role: 'user',
                content: [
                  { type: 'input_text', text: 'go' },
                  { type: 'input_text', text: '{"model":"big"}' },
                ],
              },
            ],
            temperature: 1,
          },
          [
            "constraints: The agent's entry sets model; such constraints are data after the task",
            'content[1]: Responses has no data; it is written as a text',
            'session: Responses has no place for a session',
          ],
        ],
      ],
    );
  });

  it('is held back if its messages have a wrong role or content', () => {
    const items =
      '[s:items]:[l:[d:[s:type]:[s:message],[s:role]:[s:robot],[s:content]:[l:[d:[s:type]:[s:text],[s:text]:[s:Hi]]]]]';
    const { warnings } = write('agent-api', task('').replace(/\]$/, `,${items}]`));
    assert.deepEqual(warnings, ["input[0].role must be assistant, user, system or tool, and is 'robot'"]);
  });
});

describe('the check of a request of the Agent API', () => {
  it('takes every parameter, role and content of the document, and null', () => {
    const nulls = Object.fromEntries(Object.keys(PARAMETERS).map(name => [name, null]));
    assert.deepEqual(checked({ input: INPUT, session_id: 's', ...PARAMETERS }), []);
    assert.deepEqual(checked({ input: [], session_id: null, ...nulls }), []);
  });

  for (const [request, faults] of [
    [{}, ['input must be a list of messages, and is missing']],
    [{ input: 'Hi' }, ["input must be a list of messages, and is 'Hi'"]],
    [{ input: [], n: 0 }, ['n must be a whole number from 1 to 5, and is 0']],
    [{ input: [], n: 2.5 }, ['n must be a whole number from 1 to 5, and is 2.5']],
    [{ input: [], stream: 'no' }, ["stream must be true or false, and is 'no'"]],
    [{ input: [], max_tokens: 1e20 }, []],
    [{ input: [], stop: [1] }, ['stop must be a text or a list of texts, and is a list of another form']],
    [
      { input: [], tools: [{ function: { ...TOOL.function, parameters: { type: 'array' } } }] },
      [
        "tools must be a list of tools, of which each function has the texts 'name' and 'description' and 'parameters' of the type 'object', and is a list of another form",
      ],
    ],
    [
      { input: [7, { role: 'robot' }] },
      [
        'input[0] must be a message, and is 7',
        "input[1].role must be assistant, user, system or tool, and is 'robot'",
      ],
    ],
    [
      { input: [{ content: [{ type: 'picture' }, {}, { type: 'text', text: 5, index: 'x' }] }] },
      [
        "input[0].content[0].type must be text, data, image, audio, file, refusal or video, and is 'picture'",
        'input[0].content[1].type must be text, data, image, audio, file, refusal or video, and is missing',
        "input[0].content[2].index must be a whole number, and is 'x'",
        'input[0].content[2].text must be a text, and is 5',
      ],
    ],
  ] as const)
    it(JSON.stringify(request), () => assert.deepEqual(checked(request), faults));

  it('lists ten faults of many, and counts the others', () => {
    const faults = checked({ input: Array.from({ length: 50_000 }, () => 1) });
    assert.deepEqual(
      [faults.length, faults.at(-1)],
      [11, 'The request has 49,990 more faults besides these 10'],
    );
  });
});
