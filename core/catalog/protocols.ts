import type { ErrorFacts } from './error-meanings.ts';

/** The title of the request that opens an MCP server's stream of unsolicited messages. */
export const LISTENING = 'listen for messages';

/** The protocols that an agent in agents.json can use. */
export const PROTOCOLS = [
  {
    name: 'aicl',
    title: 'LightAICL 1.0',
    short: 'AICL',
    language: 'aicl',
    stream: 'lines',
    errors: { column: 'aicl', isClosed: true, hasDetail: true, failsBy: 'code' },
    contentType: 'text/plain; charset=utf-8',
    accept: 'text/plain, */*;q=0.5',
    replyTypes: ['text/plain'],
    sampleAddress: 'http://localhost:8080/',
    offer: { label: 'LightAICL agent', detail: 'messages in AICL, over HTTP or as a process' },
    types: ['http', 'stdio'],
  },
  {
    name: 'aicf',
    title: 'AICF-RPC 1.0',
    short: 'AICF',
    language: 'aicf',
    stream: 'lines',
    errors: { column: 'aicf', failsBy: 'code' },
    contentType: 'text/plain',
    accept: 'text/plain, */*;q=0.5',
    replyTypes: ['text/plain'],
    sampleAddress: 'http://localhost:65001/aip/v1/aicf',
    offer: { label: 'AICF-RPC server', detail: 'calls such as CALL|tool|argument' },
    types: ['http'],
  },
  {
    name: 'json-rpc',
    title: 'JSON-RPC (AIP)',
    short: 'JSON-RPC',
    language: 'json',
    stream: undefined,
    requests: {
      files: ['.json-rpc.jsonc', '.json-rpc.json', '.json-rpc.jsonl'],
      isRpc: true,
      hasOwnMethods: true,
      hasBatches: true,
      tool: { method: 'aip.tool.invoke', name: ['params', 'tool'], arguments: ['params', 'arguments'] },
    },
    errors: { column: 'aip', failsBy: 'code', inResults: 'aip' },
    contentType: 'application/json',
    accept: 'application/json, */*;q=0.5',
    replyTypes: ['application/json'],
    sampleAddress: 'http://localhost:65001/aip/v1/rpc',
    offer: { label: 'JSON-RPC server', detail: 'the JSON-RPC endpoint of an AIP server' },
    types: ['http'],
  },
  {
    name: 'aio',
    title: 'AIO-MCP 1.2.1',
    short: 'AIO',
    language: 'json',
    stream: undefined,
    requests: {
      files: ['.aio.jsonc', '.aio.json', '.aio.jsonl'],
      isRpc: true,
      hasOwnMethods: true,
      methods: /^[^:\s]+::[^:\s]+$/,
      resource: { method: 'resources.get', name: ['params', 'id'] },
      prompt: { method: 'prompts.get', name: ['params', 'name'], arguments: ['params', 'arguments'] },
    },
    errors: { column: 'jsonRpc', hasToolMethods: true },
    contentType: 'application/json',
    accept: 'application/json, */*;q=0.5',
    replyTypes: ['application/json'],
    sampleAddress: 'http://localhost:8080/',
    offer: { label: 'AIO-MCP agent', detail: 'methods in JSON, over HTTP or as a process' },
    types: ['http', 'stdio'],
    isServedAsProcess: true,
  },
  {
    name: 'mcp',
    title: 'Model Context Protocol',
    short: 'MCP',
    language: 'json',
    stream: undefined,
    // `.mcp.json` configures servers.
    requests: {
      files: ['.mcp.jsonc', '.mcp.jsonl'],
      isRpc: true,
      ownsIds: true,
      tool: { method: 'tools/call', name: ['params', 'name'], arguments: ['params', 'arguments'] },
      resource: { method: 'resources/read', name: ['params', 'uri'] },
      prompt: { method: 'prompts/get', name: ['params', 'name'], arguments: ['params', 'arguments'] },
      completion: { method: 'completion/complete', capability: 'completions' },
    },
    errors: { column: 'jsonRpc', own: 'mcp', namesMissingTool: true },
    contentType: 'application/json',
    accept: 'application/json, text/event-stream',
    replyTypes: ['application/json', 'text/event-stream'],
    sampleAddress: 'http://localhost:3000/mcp',
    hasSignIn: true,
    listening: LISTENING,
    offer: {
      label: 'MCP server',
      detail: 'tools, resources and prompts, as a process or at an address',
      rank: 1,
    },
    types: ['http', 'stdio'],
    isServedAsProcess: true,
  },
  {
    name: 'agent-api',
    title: 'AgentScope Agent API',
    short: 'Agent API',
    language: 'json',
    stream: undefined,
    requests: {
      files: ['.agent-api.jsonc', '.agent-api.json', '.agent-api.jsonl'],
      carries: { session: ['session_id'] },
    },
    errors: { column: 'http', hasWords: true },
    contentType: 'application/json',
    accept: 'text/event-stream, application/json;q=0.9',
    replyTypes: ['text/event-stream', 'application/json'],
    sampleAddress: 'http://localhost:8090/process',
    offer: { label: 'AgentScope agent', detail: 'an agent of the AgentScope Agent API' },
    types: ['http'],
  },
  {
    name: 'responses',
    title: 'OpenAI Responses',
    short: 'Responses',
    language: 'json',
    stream: undefined,
    requests: {
      files: ['.responses.jsonc', '.responses.json', '.responses.jsonl'],
      carries: { response: ['previous_response_id'] },
    },
    errors: { column: 'http', hasWords: true },
    contentType: 'application/json',
    accept: 'text/event-stream, application/json;q=0.9',
    replyTypes: ['text/event-stream', 'application/json'],
    sampleAddress: 'https://api.openai.com/v1/responses',
    offer: {
      label: 'OpenAI-style agent',
      detail: 'answers in text at an address of the Responses API',
      rank: 2,
    },
    takesKey: true,
    takesModel: true,
    types: ['http'],
  },
  {
    name: 'a2a',
    title: 'Agent2Agent (A2A)',
    short: 'A2A',
    language: 'json',
    stream: 'sse',
    requests: {
      files: ['.a2a.jsonc', '.a2a.json', '.a2a.jsonl'],
      isRpc: true,
      carries: { session: ['params', 'message', 'contextId'], task: ['params', 'message', 'taskId'] },
    },
    errors: { column: 'jsonRpc', failsBy: 'no-code' },
    contentType: 'application/json',
    accept: 'text/event-stream, application/json;q=0.9',
    replyTypes: ['application/json', 'text/event-stream'],
    sampleAddress: 'http://localhost:41241/',
    offer: { label: 'A2A agent', detail: 'by its address, or the address of its agent card', rank: 3 },
    types: ['http'],
  },
] as const satisfies readonly ProtocolRow[];

export interface ProtocolRow {
  readonly name: string;
  readonly title: string;
  /** The short title for menus and table headings. */
  readonly short: string;
  /** How streamed parts of a reply are framed in text; undefined if we always write complete replies. */
  readonly stream: 'lines' | 'sse' | undefined;
  readonly errors: ErrorFacts;
  /**
   * The language of its messages. A request in one of our languages
   * can be sent to any protocol, because it is converted.
   */
  readonly language: MessageLanguage | 'json';
  /** How requests in its own JSON are written in files; undefined where it has no JSON. */
  readonly requests?: RequestFacts;
  /** The content type of a request over HTTP. */
  readonly contentType: string;
  /** The `Accept` header of a request over HTTP. */
  readonly accept: string;
  /** The content types of its replies over HTTP. */
  readonly replyTypes: readonly string[];
  /** An example URL that is shown where the user enters one. */
  readonly sampleAddress: string;
  /** True where the user can sign in to its agents. */
  readonly hasSignIn?: true;
  /** The title of the request that opens the server's stream of unsolicited messages. */
  readonly listening?: string;
  /** How it is offered where the user adds an agent; those with a rank are offered first, in its order. */
  readonly offer: { readonly label: string; readonly detail: string; readonly rank?: number };
  /** True where most agents require an API key, which is sent as a bearer token. */
  readonly takesKey?: true;
  /** True where an agent has a model for requests that name none. */
  readonly takesModel?: true;
  /** How agents of this protocol are reached: by URL, or as a local process. */
  readonly types: readonly AgentType[];
  /** True where a bridge may also be a process that its callers start. */
  readonly isServedAsProcess?: true;
}

/** The languages that are a protocol's own text. Requests and replies are converted between them and any protocol. */
export type MessageLanguage = 'aicl' | 'aicf';

/** A path of member names in a request. */
export type MemberPath = readonly string[];

/** A request about something with a name. */
interface NamedRequest {
  readonly method: string;
  readonly name: MemberPath;
}

/** Requests of a protocol in files, in its own JSON. */
export interface RequestFacts {
  /** The ends of the names of files with such requests. */
  readonly files: readonly string[];
  /** True where a request is a message of JSON-RPC 2.0. */
  readonly isRpc?: true;
  /** True where the connection numbers requests, so that an id in the file has no effect. */
  readonly ownsIds?: true;
  /** True where each agent has methods of its own, so that any method may be right. */
  readonly hasOwnMethods?: true;
  /** True where several requests may be sent as one array (JSON-RPC 2.0, section 6). */
  readonly hasBatches?: true;
  /** The form of methods that only this protocol has. */
  readonly methods?: RegExp;
  /** The request that calls a tool. */
  readonly tool?: NamedRequest & { readonly arguments: MemberPath };
  /** The request that reads a resource by its URI. */
  readonly resource?: NamedRequest;
  /** The request that gets a prompt with its arguments. */
  readonly prompt?: NamedRequest & { readonly arguments: MemberPath };
  /** The request for values of an argument, which agents with this capability answer. */
  readonly completion?: { readonly method: string; readonly capability: string };
  /** Where a request names the conversation that it continues. */
  readonly carries?: {
    readonly session?: MemberPath;
    readonly task?: MemberPath;
    readonly response?: MemberPath;
  };
}

/** How an agent is reached. */
export const AGENT_TYPES = ['http', 'stdio'] as const;
export type AgentType = (typeof AGENT_TYPES)[number];

export type ProtocolName = (typeof PROTOCOLS)[number]['name'];

/** The protocols that are also spoken over standard input and output. */
export type StdioProtocolName = Extract<
  (typeof PROTOCOLS)[number],
  { readonly types: readonly ['http', 'stdio'] }
>['name'];

const BY_NAME: ReadonlyMap<unknown, (typeof PROTOCOLS)[number]> = new Map(
  PROTOCOLS.map(row => [row.name, row]),
);

/** The protocol by its name; undefined for any other text. */
export function findProtocol(name: unknown): (typeof PROTOCOLS)[number] | undefined {
  return BY_NAME.get(name);
}

export function protocolRow(name: ProtocolName): (typeof PROTOCOLS)[number] {
  return PROTOCOLS.find(row => row.name === name) ?? PROTOCOLS[0];
}

/** True if users can sign in to agents of this protocol. */
export function hasSignIn(name: string): boolean {
  const row: ProtocolRow | undefined = findProtocol(name);
  return row?.hasSignIn === true;
}

/** True for a request that opens a server's stream of unsolicited messages. */
export function isListening({
  protocol,
  title,
}: {
  readonly protocol: string;
  readonly title: string;
}): boolean {
  const row: ProtocolRow | undefined = findProtocol(protocol);
  return row?.listening === title;
}

/**
 * True if agents of a protocol get requests in a language as they are written. Requests in JSON may name the protocol
 * that they are written for.
 */
export function takesRequests(name: ProtocolName, language: string, writtenFor?: string): boolean {
  const row: ProtocolRow = protocolRow(name);
  if (writtenFor !== undefined) return name === writtenFor;
  return row.language === language || (language === 'agent-json' && row.requests !== undefined);
}

/** The protocol whose requests a file holds according to its name; undefined for any other file. */
export function protocolOfFile(name: string): ProtocolName | undefined {
  const lower = name.toLowerCase();
  const rows: readonly (ProtocolRow & { readonly name: ProtocolName })[] = PROTOCOLS;
  return rows.find(row => row.requests?.files.some(end => lower.endsWith(end)))?.name;
}
