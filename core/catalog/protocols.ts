import type { LanguageId } from './languages.ts';

/** The protocols that an agent of agents.json can speak. */
export const PROTOCOLS = [
  {
    name: 'aicl',
    title: 'LightAICL 1.0',
    language: 'aicl',
    contentType: 'text/plain; charset=utf-8',
    accept: 'text/plain, */*;q=0.5',
    replyTypes: ['text/plain'],
    types: ['http', 'stdio'],
  },
  {
    name: 'aicf',
    title: 'AICF-RPC 1.0',
    language: 'aicf',
    contentType: 'text/plain',
    accept: 'text/plain, */*;q=0.5',
    replyTypes: ['text/plain'],
    types: ['http'],
  },
  {
    name: 'json-rpc',
    title: 'JSON-RPC (AIP)',
    language: 'json',
    contentType: 'application/json',
    accept: 'application/json, */*;q=0.5',
    replyTypes: ['application/json'],
    types: ['http'],
  },
  {
    name: 'aio',
    title: 'AIO-MCP 1.2.1',
    language: 'json',
    contentType: 'application/json',
    accept: 'application/json, */*;q=0.5',
    replyTypes: ['application/json'],
    types: ['http', 'stdio'],
  },
  {
    name: 'mcp',
    title: 'Model Context Protocol',
    language: 'json',
    contentType: 'application/json',
    accept: 'application/json, text/event-stream',
    replyTypes: ['application/json', 'text/event-stream'],
    types: ['http', 'stdio'],
  },
  {
    name: 'agent-api',
    title: 'AgentScope Agent API',
    language: 'json',
    contentType: 'application/json',
    accept: 'text/event-stream, application/json;q=0.9',
    replyTypes: ['text/event-stream', 'application/json'],
    types: ['http'],
  },
  {
    name: 'responses',
    title: 'OpenAI Responses',
    language: 'json',
    contentType: 'application/json',
    accept: 'text/event-stream, application/json;q=0.9',
    replyTypes: ['text/event-stream', 'application/json'],
    types: ['http'],
  },
  {
    name: 'a2a',
    title: 'Agent2Agent (A2A)',
    language: 'json',
    contentType: 'application/json',
    accept: 'text/event-stream, application/json;q=0.9',
    replyTypes: ['application/json', 'text/event-stream'],
    types: ['http'],
  },
] as const satisfies readonly ProtocolRow[];

export interface ProtocolRow {
  readonly name: string;
  readonly title: string;
  /** The language of its messages. Requests in one of ours go to any of them: they are converted. */
  readonly language: LanguageId | 'json';
  /** The content type of a request over HTTP. */
  readonly contentType: string;
  /** What a request over HTTP says that it takes. */
  readonly accept: string;
  /** The content types of its replies over HTTP. */
  readonly replyTypes: readonly string[];
  /** How agents that speak it are reached: at an address, or as a process of this computer. */
  readonly types: readonly AgentType[];
}

/** How an agent is reached. */
export const AGENT_TYPES = ['http', 'stdio'] as const;
export type AgentType = (typeof AGENT_TYPES)[number];

export type ProtocolName = (typeof PROTOCOLS)[number]['name'];

/** The protocols that a process speaks over its standard input and output. */
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

/** The row of a protocol. */
export function protocolRow(name: ProtocolName): (typeof PROTOCOLS)[number] {
  return PROTOCOLS.find(row => row.name === name) ?? PROTOCOLS[0];
}
