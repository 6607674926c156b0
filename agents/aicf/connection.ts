import { AICF } from '../../protocols/aicf/protocol.ts';
import type { ResolvedHttpAgent } from '../config/resolve-agent.ts';
import type { Connection } from '../connection.ts';
import { HttpConnection, type HttpLimits } from '../http/http-connection.ts';

/**
 * A connection to an AICF-RPC server over HTTP (AICF-RPC 1.0, "HTTP Transport"): one request per body. The
 * reply is read as AICF whatever its status or type.
 */
export function connectAicf(agent: ResolvedHttpAgent, limits?: HttpLimits): Connection {
  return new HttpConnection(agent, AICF, limits);
}
