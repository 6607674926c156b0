/** The protocols that an agent of agents.json can speak. */
export const PROTOCOLS = [
  { name: 'aicl', title: 'LightAICL 1.0', language: 'aicl', contentType: 'text/plain; charset=utf-8' },
  { name: 'aicf', title: 'AICF-RPC 1.0', language: 'aicf', contentType: 'text/plain' },
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
}

export type ProtocolName = (typeof PROTOCOLS)[number]['name'];
