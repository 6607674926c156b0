/** The protocols that an agent of agents.json can speak. */
export const PROTOCOLS = [
  { name: 'aicl', title: 'LightAICL 1.0', language: 'aicl', contentType: 'text/plain; charset=utf-8' },
  { name: 'aicf', title: 'AICF-RPC 1.0', language: 'aicf', contentType: 'text/plain' },
] as const satisfies readonly ProtocolRow[];

export interface ProtocolRow {
  readonly name: string;
  readonly title: string;
  /** The language of its messages. */
  readonly language: 'aicl' | 'aicf';
  /** The content type of a request over HTTP. */
  readonly contentType: string;
}

export type ProtocolName = (typeof PROTOCOLS)[number]['name'];
