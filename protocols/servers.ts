import type { ProtocolName } from '../core/catalog/protocols.ts';
import { serveA2a } from './a2a/serve.ts';
import { serveAgentApi } from './agent-api/serve.ts';
import { serveJsonRpc } from './json-rpc/serve.ts';
import { serveMcp } from './mcp/serve.ts';
import { serveResponses } from './responses/serve.ts';
import type { Serve } from './serving/serving.ts';

const BY_NAME = {
  'agent-api': serveAgentApi,
  'json-rpc': serveJsonRpc,
  mcp: serveMcp,
  responses: serveResponses,
  a2a: serveA2a,
} satisfies Partial<Record<ProtocolName, Serve>>;

/** The servers of all protocols by name: how an agent of any protocol is served to callers of each. */
export const SERVERS: ReadonlyMap<string, Serve> = new Map(Object.entries(BY_NAME));
