/** The protocols that an agent of agents.json can speak. */
export const PROTOCOLS = [
  {
    name: 'aicl',
    title: 'LightAICL 1.0',
    language: 'aicl',
    contentType: 'text/plain; charset=utf-8',
    types: ['http', 'stdio'],
  },
  {
    name: 'aicf',
    title: 'AICF-RPC 1.0',
    language: 'aicf',
    contentType: 'text/plain',
    types: ['http'],
  },
] as const satisfies readonly ProtocolRow[];

/** Protocols that agents.json may name and that have no connection yet. */
export const PLANNED_PROTOCOLS = [
  { name: 'json-rpc' },
  { name: 'aio' },
  { name: 'mcp' },
  { name: 'agent-api' },
  { name: 'responses' },
  { name: 'a2a' },
] as const satisfies readonly Pick<ProtocolRow, 'name'>[];

export interface ProtocolRow {
  readonly name: string;
  readonly title: string;
  /** The language of its messages. */
  readonly language: 'aicl' | 'aicf';
  /** The content type of a request over HTTP. */
  readonly contentType: string;
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
