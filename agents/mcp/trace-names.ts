import type { AgentType } from '../../core/catalog/protocols.ts';
import { readFields } from '../../core/text/fields.ts';
import type { Outgoing } from '../connection.ts';
import { printTraceparent } from '../traceparent.ts';

/** The parameters of a request of MCP. */
type McpParams = Readonly<Record<string, unknown>> | undefined;

/**
 * The parameters of a request with the names of its trace in `_meta`. Names that the request has itself are unchanged.
 */
export function withTraceNames(
  params: McpParams,
  { names }: Pick<Outgoing, 'names'>,
  type: AgentType,
): Record<string, unknown> | undefined {
  const given = params?.['_meta'];
  const own = readFields(given);
  if (!names || (given !== undefined && !own)) return params && { ...params };
  const { trace, call, depth, chain = trace } = names;
  const traceparent = printTraceparent(trace, call);
  const meta = {
    ...(traceparent === undefined ? {} : { traceparent }),
    // Over HTTP these are headers.
    ...(type === 'stdio' ? { 'X-OpenStarry-Trace-ID': chain, 'X-OpenStarry-Trace-Depth': depth } : {}),
  };
  if (Object.keys(meta).length === 0) return params && { ...params };
  return { ...params, _meta: { ...meta, ...Object.fromEntries(own ?? []) } };
}
