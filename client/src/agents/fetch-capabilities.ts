import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import type { Outgoing, WireListener } from '../../../agents/connection.ts';
import type { PooledConnection, ConnectionPool } from '../../../agents/connection-pool.ts';
import { CapabilityReader } from '../../../agents/capabilities/capability-reader.ts';
import { describeUnlisted, titleOfListing } from '../../../agents/capabilities/capability-reader.ts';
import type { ProtocolName } from '../../../core/catalog/protocols.ts';
import type { TraceEvent } from '../../../core/events/events.ts';
import type { AgentCapabilities, CallOutcome } from '../services/agent-service.ts';
import { keyOf } from './agent-key.ts';
import type { FetchedCapabilities } from './capability-store.ts';
import type { AgentOpener } from './agent-opener.ts';

/** The dependencies of fetching an agent's capabilities. */
export interface CapabilityRequest {
  readonly opener: AgentOpener;
  readonly pool: ConnectionPool;
  readonly emit: (event: TraceEvent) => void;
  readonly listener: WireListener;
  readonly request: Pick<Outgoing, 'secrets' | 'questions'>;
}

/** Fetches all capabilities of an agent, traced as one call. Never throws. */
export async function fetchCapabilities(
  name: string,
  protocol: ProtocolName | undefined,
  { opener, pool, emit, listener, request }: CapabilityRequest,
  signal: AbortSignal,
): Promise<FetchedCapabilities> {
  const known = ALL_PROTOCOLS.find(protocol);
  const unlisted = known && describeUnlisted(known);
  if (unlisted !== undefined) return { ...NO_CAPABILITIES, state: 'idle', problem: unlisted };
  const opened = await opener.open(name, emit, signal, found => ({
    watches: true,
    pooled: agent => pool.connect(keyOf(found), agent),
  }));
  if ('status' in opened) return describeUnread(opened);
  const reader = new CapabilityReader(opened.pooled);
  const outgoing = {
    ...request,
    wireText: '',
    title: known ? titleOfListing(known, ALL_PROTOCOLS) : 'list tools',
  };
  const { reply } = opened.send(outgoing, listener, signal, (...args) => reader.read(...args));
  const came = await reply;
  if (came.status !== 'ok') return describeUnread(came);
  const { tools } = opened.pooled;
  return {
    state: 'connected',
    peer: reader.peer,
    tools: tools.tools,
    at: tools.at,
    resources: reader.resources,
    prompts: reader.prompts,
    problem: reader.problem === undefined ? undefined : `It lists no tools: ${reader.problem}`,
  };
}

/** The capabilities known after a successful call: the agent is connected, and its tools may have been fetched. */
export function capabilitiesAfterCall(
  { connection, tools }: PooledConnection,
  { resources, prompts }: AgentCapabilities,
): FetchedCapabilities {
  return {
    state: 'connected',
    peer: connection.peer,
    tools: tools.tools,
    at: tools.at,
    resources,
    prompts,
    // A missing tool list is explained only for protocols that cannot list tools.
    problem: tools.tools ? undefined : describeUnlisted(connection.protocol),
  };
}

const NO_CAPABILITIES = {
  peer: undefined,
  tools: undefined,
  at: undefined,
  resources: [],
  prompts: [],
} as const;

/** If the user cancelled, no problem is reported. */
function describeUnread({
  status,
  message,
  mistake,
}: Pick<CallOutcome, 'status' | 'message' | 'mistake'>): FetchedCapabilities {
  return {
    ...NO_CAPABILITIES,
    state: status === 'cancelled' ? 'idle' : 'failed',
    problem: status === 'cancelled' ? undefined : (message ?? 'The agent did not answer'),
    ...(mistake ? { mistake } : {}),
  };
}
