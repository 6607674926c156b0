import { readFields } from '../../core/text/fields.ts';
import { startDemoHost } from './demo-host.ts';
import type { HttpHost } from '../serving/http-host.ts';
import {
  answerMcp,
  fail,
  give,
  Questions,
  say,
  type McpCall,
  type McpResult,
  type McpServer,
} from './mcp-rpc.ts';
import { listTools } from './rpc.ts';
import { readArguments, TOOLBOX, type JsonValue } from './tools.ts';

/** The path at which the demo servers of MCP listen. */
export const MCP_PATH = '/mcp';

/**
 * Starts the demo agent `librarian`: an MCP server over Streamable HTTP. It has resources, prompts and tools, including
 * one that reports its progress, one that asks the user (elicitation) and one that asks a model (sampling).
 */
export function startMcpServer(): Promise<HttpHost> {
  const questions = new Questions();
  return startDemoHost({
    maxBytes: 1_000_000,
    answer: async (request, reply) =>
      request.path === MCP_PATH
        ? answerMcp(LIBRARIAN, questions, request, reply)
        : reply.send(404, 'text/plain', `There is nothing here; the endpoint is ${MCP_PATH}`),
  });
}

const ASKING: readonly {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonValue;
}[] = [
  {
    name: 'book.borrow',
    description: 'Lends a book; asks the user for how long (elicitation)',
    inputSchema: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
  },
  {
    name: 'book.review',
    description: 'Reviews a book in the words of a model of the client (sampling)',
    inputSchema: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
  },
];

const BOOKS: ReadonlyMap<string, string> = new Map([
  ['book:odyssey', 'Tell me, o Muse, of that ingenious hero who travelled far and wide.'],
  [
    'book:emma',
    'Emma Woodhouse, handsome, clever, and rich, had lived nearly twenty-one years in the world.',
  ],
]);

const LIBRARIAN: McpServer = {
  name: 'librarian',
  capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
  methods: new Map<string, (call: McpCall) => McpResult | Promise<McpResult>>([
    ['tools/list', () => ({ result: { tools: [...listTools(), ...ASKING] } })],
    ['tools/call', callTool],
    ['resources/list', () => ({ result: { resources: [...BOOKS.keys()].map(describeBook) } })],
    ['resources/read', readBook],
    ['resources/templates/list', () => ({ result: { resourceTemplates: [TEMPLATE] } })],
    ['prompts/list', () => ({ result: { prompts: [PROMPT] } })],
    ['prompts/get', getPrompt],
    ['completion/complete', complete],
  ]),
};

function describeBook(uri: string): JsonValue {
  return { uri, name: uri.slice('book:'.length), mimeType: 'text/plain' };
}

function readBook({ params }: McpCall): McpResult {
  const uri = textOf(params.get('uri'));
  const text = BOOKS.get(uri);
  if (text === undefined) return fail(-32602, `Resource not found: ${uri}`);
  return { result: { contents: [{ uri, mimeType: 'text/plain', text }] } };
}

const PROMPT = {
  name: 'summarize',
  description: 'Asks for a summary of a book',
  arguments: [{ name: 'title', required: true }],
};

const TEMPLATE = {
  uriTemplate: 'book:{title}',
  name: 'book',
  description: 'The first sentence of a book',
  mimeType: 'text/plain',
};

/** Completes the title of a book, the only argument of the prompt and of the template. */
function complete({ params }: McpCall): McpResult {
  const argument = readFields(params.get('argument'));
  if (argument?.get('name') !== 'title') return fail(-32602, 'Only the argument title is completed');
  const typed = textOf(argument.get('value')).toLowerCase();
  const titles = [...BOOKS.keys()].map(uri => uri.slice('book:'.length));
  const values = titles.filter(title => title.startsWith(typed));
  return { result: { completion: { values, total: values.length, hasMore: false } } };
}

function getPrompt({ params }: McpCall): McpResult {
  if (params.get('name') !== PROMPT.name) return fail(-32602, 'Prompt not found');
  const title = textOf(readFields(params.get('arguments'))?.get('title'));
  const text = `Summarize ${title || 'the book'} in one sentence.`;
  return { result: { messages: [{ role: 'user', content: { type: 'text', text } }] } };
}

async function callTool(call: McpCall): Promise<McpResult> {
  const name = textOf(call.params.get('name'));
  const given = readFields(call.params.get('arguments')) ?? new Map<string, unknown>();
  const title = textOf(given.get('title'));
  if (name === 'book.borrow') return lend(call, title);
  if (name === 'book.review') return review(call, title);
  const tool = TOOLBOX.find(each => each.name === name);
  if (!tool) return fail(-32602, `Tool not found: ${name}`);
  const check = readArguments(tool, given);
  if (!check.ok) return say(check.message, 'failed');
  const outcome = tool.run(check.given, call.request.gone);
  if (outcome.kind === 'failure') return say(outcome.message, 'failed');
  if (outcome.kind === 'value') return give(outcome.value);
  return collect(call, outcome.pieces);
}

/** Joins the pieces of a tool's output to one text and reports the progress if the client gave a token. */
async function collect(call: McpCall, pieces: AsyncIterable<string>): Promise<McpResult> {
  const token = readFields(call.params.get('_meta'))?.get('progressToken');
  const sent: string[] = [];
  for await (const piece of pieces) {
    sent.push(piece);
    if (typeof token === 'string' || typeof token === 'number')
      call.notify('notifications/progress', {
        progressToken: token,
        progress: sent.length,
        message: piece.trim(),
      });
  }
  return say(sent.join(''));
}

async function lend(call: McpCall, title: string): Promise<McpResult> {
  const answer = await call.ask('elicitation/create', {
    mode: 'form',
    message: `For how many days do you want to borrow ${title || 'the book'}?`,
    requestedSchema: {
      type: 'object',
      properties: { days: { type: 'integer', minimum: 1, maximum: 30, default: 14 } },
      required: ['days'],
    },
  });
  if ('error' in answer) return say(`The user gave no answer: ${answer.error}`, 'failed');
  const action = answer.result.get('action');
  if (action !== 'accept') return say(`${title} stays on its shelf`);
  const days = readFields(answer.result.get('content'))?.get('days');
  return say(`${title} is yours for ${typeof days === 'number' ? days : 14} days`);
}

async function review(call: McpCall, title: string): Promise<McpResult> {
  const text = `Review ${title || 'a book'} in one sentence.`;
  const answer = await call.ask('sampling/createMessage', {
    messages: [{ role: 'user', content: { type: 'text', text } }],
    systemPrompt: 'You are a critic of few words.',
    maxTokens: 100,
  });
  if ('error' in answer) return say(`The model gave no answer: ${answer.error}`, 'failed');
  const answered = readFields(answer.result.get('content'))?.get('text');
  return say(`A critic says: ${typeof answered === 'string' ? answered : 'nothing'}`);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
