/**
 * A server of MCP 2025-11-25 over standard input and output, with the tools, resources and prompts that the official
 * conformance suite calls.
 */
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

type Fields = Readonly<Record<string, unknown>>;

interface Request {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Fields;
  readonly result?: Fields;
}

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

const text = (said: string): Fields => ({ type: 'text', text: said });
const image = { type: 'image', data: PNG, mimeType: 'image/png' };

const CONTENT: Readonly<Record<string, readonly Fields[]>> = {
  test_simple_text: [text('This is a simple text response for testing.')],
  test_image_content: [image],
  test_audio_content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
  test_embedded_resource: [
    {
      type: 'resource',
      resource: {
        uri: 'test://embedded-resource',
        mimeType: 'text/plain',
        text: 'This is an embedded resource content.',
      },
    },
  ],
  test_multiple_content_types: [
    text('Multiple content types test:'),
    image,
    {
      type: 'resource',
      resource: {
        uri: 'test://mixed-content-resource',
        mimeType: 'application/json',
        text: '{"test":"data","value":123}',
      },
    },
  ],
};

const options = ['option1', 'option2', 'option3'];
const titled = (...titles: readonly string[]): readonly Fields[] =>
  titles.map((title, index) => ({ const: `value${index + 1}`, title }));

/** The forms of the tools that ask for one. */
const FORMS: Readonly<Record<string, Fields>> = {
  test_elicitation_sep1034_defaults: {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
  test_elicitation_sep1330_enums: {
    untitledSingle: { type: 'string', enum: options },
    titledSingle: { type: 'string', oneOf: titled('First Option', 'Second Option', 'Third Option') },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
    titledMulti: {
      type: 'array',
      items: { anyOf: titled('First Choice', 'Second Choice', 'Third Choice') },
    },
  },
};

const OTHERS: readonly string[] = [
  'test_tool_with_logging',
  'test_error_handling',
  'test_tool_with_progress',
  'test_sampling',
  'test_elicitation',
];

const SCHEMA_TOOL = {
  name: 'json_schema_2020_12_tool',
  description: 'Tool with JSON Schema 2020-12 features',
  inputSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } },
    },
    properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
    additionalProperties: false,
  },
};

const TOOLS = [
  ...[...Object.keys(CONTENT), ...Object.keys(FORMS), ...OTHERS].map(name => ({
    name,
    description: `The tool ${name}`,
    inputSchema: { type: 'object' },
  })),
  SCHEMA_TOOL,
];

const RESOURCES: Readonly<Record<string, Fields>> = {
  'test://static-text': {
    mimeType: 'text/plain',
    text: 'This is the content of the static text resource.',
  },
  'test://static-binary': { mimeType: 'image/png', blob: PNG },
};

const PROMPTS: Readonly<Record<string, (given: Fields) => readonly Fields[]>> = {
  test_simple_prompt: () => [text('This is a simple prompt for testing.')],
  test_prompt_with_arguments: ({ arg1, arg2 }) => [
    text(`Prompt with arguments: arg1='${String(arg1)}', arg2='${String(arg2)}'`),
  ],
  test_prompt_with_embedded_resource: ({ resourceUri }) => [
    {
      type: 'resource',
      resource: {
        uri: resourceUri,
        mimeType: 'text/plain',
        text: 'Embedded resource content for testing.',
      },
    },
    text('Please process the embedded resource above.'),
  ],
  test_prompt_with_image: () => [image, text('Please analyze the image above.')],
};

const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  test_prompt_with_arguments: ['arg1', 'arg2'],
  test_prompt_with_embedded_resource: ['resourceUri'],
};

const waiting = new Map<string, (result: Fields) => void>();

function say(message: Fields): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

function ask(method: string, params: Fields): Promise<Fields> {
  const id = `ask-${waiting.size}`;
  say({ id, method, params });
  return new Promise(resolve => waiting.set(id, resolve));
}

async function elicit(message: unknown, properties: Fields, required?: readonly string[]): Promise<Fields> {
  const requestedSchema = { type: 'object', properties, ...(required ? { required } : {}) };
  return ask('elicitation/create', { message, requestedSchema });
}

async function callTool(params: Fields): Promise<Fields> {
  const name = String(params['name']);
  const given = (params['arguments'] ?? {}) as Fields;
  const form = FORMS[name];
  if (form) {
    const { action, content } = await elicit('Please fill in', form);
    return {
      content: [
        text(`Elicitation completed: action=${String(action)}, content=${JSON.stringify(content ?? {})}`),
      ],
    };
  }
  const token = (params['_meta'] as Fields | undefined)?.['progressToken'];
  switch (name) {
    case 'test_tool_with_logging':
      for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed'])
        say({ method: 'notifications/message', params: { level: 'info', data } });
      return { content: [text('Logged')] };
    case 'test_error_handling':
      return { isError: true, content: [text('This tool intentionally returns an error for testing')] };
    case 'test_tool_with_progress':
      for (const progress of token === undefined ? [] : [0, 50, 100]) {
        say({ method: 'notifications/progress', params: { progressToken: token, progress, total: 100 } });
        await sleep(50);
      }
      return { content: [text('Progressed')] };
    case 'test_sampling': {
      const { content } = await ask('sampling/createMessage', {
        messages: [{ role: 'user', content: text(String(given['prompt'])) }],
        maxTokens: 100,
      });
      return { content: [text(`LLM response: ${String((content as Fields | undefined)?.['text'])}`)] };
    }
    case 'test_elicitation': {
      const field = { type: 'string' };
      const answer = await elicit(given['message'], { username: field, email: field }, ['username', 'email']);
      return { content: [text(`User response: ${JSON.stringify(answer)}`)] };
    }
    default:
      return { content: CONTENT[name] ?? [text('Called')] };
  }
}

function readResource(uri: string): Fields {
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  const content =
    id === undefined
      ? RESOURCES[uri]
      : {
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
        };
  return { contents: [{ uri, ...content }] };
}

const METHODS: Readonly<Record<string, (params: Fields) => Fields | Promise<Fields>>> = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {}, resources: {}, prompts: {}, completions: {}, logging: {} },
    serverInfo: { name: 'conformance', version: '1.0.0' },
  }),
  'logging/setLevel': () => ({}),
  'tools/list': () => ({ tools: TOOLS }),
  'tools/call': callTool,
  'resources/list': () => ({
    resources: Object.entries(RESOURCES).map(([uri, { mimeType }]) => ({
      uri,
      name: uri,
      description: 'A resource',
      mimeType,
    })),
  }),
  'resources/templates/list': () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'data', description: 'Data' }],
  }),
  'resources/read': ({ uri }) => readResource(String(uri)),
  'prompts/list': () => ({
    prompts: Object.keys(PROMPTS).map(name => ({
      name,
      description: `The prompt ${name}`,
      arguments: (ARGUMENTS[name] ?? []).map(each => ({ name: each, required: true })),
    })),
  }),
  'prompts/get': ({ name, arguments: given }) => ({
    messages: (PROMPTS[String(name)]?.((given ?? {}) as Fields) ?? []).map(content => ({
      role: 'user',
      content,
    })),
  }),
  'completion/complete': () => ({ completion: { values: ['paris', 'park'], total: 2, hasMore: false } }),
};

async function take({ id, method, params = {}, result }: Request): Promise<void> {
  if (result) return waiting.get(String(id))?.(result);
  if (id === undefined) return undefined;
  const answer = METHODS[method ?? '']?.(params);
  if (answer) say({ id, result: await answer });
  else say({ id, error: { code: -32601, message: `Method not found: ${String(method)}` } });
}

createInterface({ input: process.stdin }).on('line', line => void take(JSON.parse(line) as Request));
