import type { LanguageId } from './languages.ts';

/** The protocols that a message can be converted from and to: what `parley convert --to` takes. */
export const CONVERSIONS = [
  {
    name: 'aicl',
    title: 'LightAICL 1.0',
    short: 'AICL',
    language: 'aicl',
    stream: 'lines',
  },
  { name: 'aicf', title: 'AICF-RPC 1.0', short: 'AICF', language: 'aicf', stream: 'lines' },
  {
    name: 'json-rpc',
    title: 'JSON-RPC (AIP)',
    short: 'JSON-RPC',
    language: 'json',
    stream: undefined,
  },
  {
    name: 'aio',
    title: 'AIO-MCP 1.2.1',
    short: 'AIO',
    language: 'json',
    stream: undefined,
  },
  {
    name: 'mcp',
    title: 'Model Context Protocol',
    short: 'MCP',
    language: 'json',
    stream: undefined,
  },
  {
    name: 'agent-api',
    title: 'AgentScope Agent API',
    short: 'Agent API',
    language: 'json',
    stream: undefined,
  },
  {
    name: 'responses',
    title: 'OpenAI Responses',
    short: 'Responses',
    language: 'json',
    stream: undefined,
  },
  {
    name: 'a2a',
    title: 'Agent2Agent (A2A)',
    short: 'A2A',
    language: 'json',
    stream: 'sse',
  },
  {
    name: 'json',
    title: 'Plain typed JSON',
    short: 'JSON',
    language: 'json',
    stream: 'lines',
  },
] as const satisfies readonly ConversionRow[];

export interface ConversionRow {
  readonly name: string;
  readonly title: string;
  /** What a menu or a table's head says. */
  readonly short: string;
  /** The language of an editor that shows its messages. */
  readonly language: LanguageId | 'json';
  /** How the parts of a reply that comes in parts are framed; undefined where we write replies whole. */
  readonly stream: 'lines' | 'sse' | undefined;
}

export type ConversionName = (typeof CONVERSIONS)[number]['name'];

/** The protocol by its name; undefined for any other text. */
export function findConversion(name: unknown): (typeof CONVERSIONS)[number] | undefined {
  return CONVERSIONS.find(row => row.name === name);
}

/** What an editor offers at once for a message in one of its languages; all others are one step away. */
export const COMMON_TARGETS: Readonly<Record<LanguageId, readonly ConversionName[]>> = {
  aicl: ['json', 'json-rpc', 'mcp'],
  aicf: ['json-rpc', 'mcp', 'aicl'],
};
