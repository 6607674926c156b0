import { readFields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import { message, type Message } from '../../core/message/message.ts';
import { findEntry, textIn, textValue, type Value } from '../../core/values/value.ts';
import { printForAgent } from '../../language/values/json-printer.ts';
import type { ListedItem } from '../../language/tools.ts';
import { MCP } from '../../protocols/mcp/protocol.ts';
import { writeOwnError } from '../../protocols/serving/calls.ts';
import type { CallOptions, ItemRequest, ServedAgent } from '../../protocols/serving/serving.ts';
import { startServedDemo, type DemoHost } from './demo-host.ts';
import { serveTools } from './served-tools.ts';
import { begin, offerTool, reply, toValue } from './served.ts';
import { TOOLBOX, type JsonValue } from './tools.ts';

/**
 * Starts the demo agent `librarian`: an MCP server over Streamable HTTP. It has resources, prompts and tools, including
 * one that reports its progress, one that asks the user (elicitation) and one that asks a model (sampling).
 */
export function startMcpServer(): Promise<DemoHost> {
  return startServedDemo(MCP, 'librarian', LIBRARIAN);
}

const TITLE_SCHEMA = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] };

const ASKING = [
  {
    name: 'book.borrow',
    description: 'Lends a book; asks the user for how long (elicitation)',
    inputSchema: TITLE_SCHEMA,
  },
  {
    name: 'book.review',
    description: 'Reviews a book in the words of a model of the client (sampling)',
    inputSchema: TITLE_SCHEMA,
  },
];

const BOOKS: ReadonlyMap<string, string> = new Map([
  ['book:odyssey', 'Tell me, o Muse, of that ingenious hero who travelled far and wide.'],
  [
    'book:emma',
    'Emma Woodhouse, handsome, clever, and rich, had lived nearly twenty-one years in the world.',
  ],
]);

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

const RESOURCES: readonly ListedItem[] = [
  ...[...BOOKS.keys()].map(uri =>
    toListed('resource', { uri, name: uri.slice('book:'.length), mimeType: 'text/plain' }),
  ),
  toListed('template', TEMPLATE),
];

function toListed(kind: ListedItem['kind'], item: JsonValue): ListedItem {
  return { kind, name: '', description: '', detail: '', parameters: [], value: toValue(item) };
}

const TOOLS = serveTools(MCP, 'librarian', () => TOOLBOX);

/** The tools of the toolbox, and those that ask. */
const LIBRARIAN: ServedAgent = {
  ...TOOLS,
  async offer(request) {
    const offer = await TOOLS.offer(request);
    const tools = [...offer.tools, ...ASKING.map(offerTool)];
    return { ...offer, tools, resources: RESOURCES, prompts: [toListed('prompt', PROMPT)], completes: true };
  },
  call(asked, options) {
    const run = ASKS.get(textIn(asked.fields.tool) ?? '');
    if (!run) return TOOLS.call(asked, options);
    const title = textIn(findEntry(asked.fields.arguments, 'title')) ?? '';
    return begin(options, async signal => reply(await run(options, title, signal)));
  },
  readItem: (item, options) => begin(options, () => Promise.resolve(reply(readItem(item)))),
};

const ASKS: ReadonlyMap<string, typeof lend> = new Map([
  ['book.borrow', lend],
  ['book.review', review],
]);

async function lend({ questions }: CallOptions, title: string, signal: AbortSignal): Promise<Message> {
  const question = {
    agent: 'librarian',
    message: `For how many days do you want to borrow ${title || 'the book'}?`,
    schema: {
      type: 'object',
      properties: { days: { type: 'integer', minimum: 1, maximum: 30, default: 14 } },
      required: ['days'],
    },
  };
  const answer = await questions?.fillForm(question, signal);
  if (answer?.action !== 'accept') return give(`${title} stays on its shelf`);
  const { days } = answer.content;
  return give(`${title} is yours for ${typeof days === 'number' ? days : 14} days`);
}

async function review({ questions }: CallOptions, title: string, signal: AbortSignal): Promise<Message> {
  const question = {
    agent: 'librarian',
    systemPrompt: 'You are a critic of few words.',
    messages: [{ role: 'user', text: `Review ${title || 'a book'} in one sentence.` }],
    maxTokens: 100,
  };
  const text = await questions?.writeText(question, signal);
  return text === undefined ? fail('The model gave no answer') : give(`A critic says: ${text}`);
}

function readItem(item: ItemRequest): Message {
  switch (item.kind) {
    case 'resource': {
      const { uri } = item;
      const text = BOOKS.get(uri);
      if (text === undefined) return refuse(`Resource not found: ${uri}`);
      return give({ contents: [{ uri, mimeType: 'text/plain', text }] });
    }
    case 'prompt': {
      if (item.name !== PROMPT.name) return refuse('Prompt not found');
      const title = textOf(toFields(item.arguments)?.get('title'));
      const text = `Summarize ${title || 'the book'} in one sentence.`;
      return give({ messages: [{ role: 'user', content: { type: 'text', text } }] });
    }
    case 'completion':
      return complete(readFields(toFields(item.parameters)?.get('argument')));
  }
}

/** Completes the title of a book, the only argument of the prompt and of the template. */
function complete(argument: ReadonlyMap<string, unknown> | undefined): Message {
  if (argument?.get('name') !== 'title') return refuse('Only the argument title is completed');
  const typed = textOf(argument.get('value')).toLowerCase();
  const titles = [...BOOKS.keys()].map(uri => uri.slice('book:'.length));
  const values = titles.filter(title => title.startsWith(typed));
  return give({ completion: { values, total: values.length, hasMore: false } });
}

function give(value: JsonValue): Message {
  return message('result', { data: toValue(value) });
}

/** The failure of a tool that ran. */
function fail(text: string): Message {
  const data = toValue({ content: [{ type: 'text', text }], isError: true });
  return message('error', { protocol: textValue('mcp'), text: textValue(text), data });
}

function refuse(text: string): Message {
  return writeOwnError(MCP, 'wrong-argument', text);
}

function toFields(value: Value | undefined): ReadonlyMap<string, unknown> | undefined {
  return value && readFields(parseJson(printForAgent(value)));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
