import type { ProtocolName } from '../core/catalog/protocols.ts';
import { serveAio } from './aio/serve.ts';
import { serveA2a } from './a2a/serve.ts';
import { serveAgentApi } from './agent-api/serve.ts';
import { AICF_TWIN } from './aicf/serve.ts';
import { serveAicl } from './aicl/serve.ts';
import { JSON_RPC_TWIN } from './json-rpc/serve.ts';
import { serveMcp } from './mcp/serve.ts';
import { serveResponses } from './responses/serve.ts';
import type { Serve } from './serving/serving.ts';
import { serveTwins } from './serving/twins.ts';

/** Serves an agent of AIP: AICF-RPC and its JSON-RPC twin. */
export const serveAip = serveTwins(AICF_TWIN, JSON_RPC_TWIN);

const BY_NAME = {
  aicl: serveAicl,
  aicf: serveAip,
  'agent-api': serveAgentApi,
  'json-rpc': serveTwins(JSON_RPC_TWIN, AICF_TWIN),
  mcp: serveMcp,
  responses: serveResponses,
  a2a: serveA2a,
  aio: serveAio,
} satisfies Partial<Record<ProtocolName, Serve>>;

/** The servers of all protocols by name: how an agent of any protocol is served to callers of each. */
export const SERVERS: ReadonlyMap<string, Serve> = new Map(Object.entries(BY_NAME));
