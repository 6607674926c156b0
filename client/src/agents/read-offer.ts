import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import type { Outgoing, WireListener } from '../../../agents/connection.ts';
import type { KeptConnection, KeptConnections } from '../../../agents/kept-connections.ts';
import { describeUnlisted, OfferReader } from '../../../agents/offer/offer-reader.ts';
import type { ProtocolName } from '../../../core/catalog/protocols.ts';
import type { TraceEvent } from '../../../core/events/events.ts';
import type { AgentOffer, CallOutcome } from '../agent-service.ts';
import { keyOf } from './agent-key.ts';
import type { ReadOffer } from './agent-offers.ts';
import type { AgentOpener } from './agent-opener.ts';

/** What asking an agent for its offer needs. */
export interface OfferQuestion {
  readonly opener: AgentOpener;
  readonly kept: KeptConnections;
  readonly emit: (event: TraceEvent) => void;
  readonly listener: WireListener;
  readonly request: Pick<Outgoing, 'secrets' | 'questions'>;
}

/** Asks an agent for all that it offers: one call in the traces. Never throws. */
export async function readOffer(
  name: string,
  protocol: ProtocolName | undefined,
  { opener, kept, emit, listener, request }: OfferQuestion,
  signal: AbortSignal,
): Promise<ReadOffer> {
  const known = ALL_PROTOCOLS.find(protocol);
  const unlisted = known && describeUnlisted(known);
  if (unlisted !== undefined) return { ...NOTHING_OFFERED, state: 'idle', problem: unlisted };
  const opened = await opener.open(name, emit, signal, found => ({
    connect: agent => kept.connect(keyOf(found), agent),
  }));
  if ('status' in opened) return describeUnread(opened);
  const reader = new OfferReader(opened.kept);
  const outgoing = { ...request, wireText: '', title: 'Tools' };
  const { reply } = opened.send(outgoing, listener, signal, (...asked) => reader.read(...asked));
  const came = await reply;
  if (came.status !== 'ok') return describeUnread(came);
  const { tools } = opened.kept;
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

/** What a call that went well has found out: its agent is there, and may have been asked for its tools. */
export function offerAfterCall(
  { connection, tools }: KeptConnection,
  { resources, prompts }: AgentOffer,
): ReadOffer {
  return {
    state: 'connected',
    peer: connection.peer,
    tools: tools.tools,
    at: tools.at,
    resources,
    prompts,
    // Only who may tell its tools is asked for them.
    problem: tools.tools ? undefined : describeUnlisted(connection.protocol),
  };
}

const NOTHING_OFFERED = {
  peer: undefined,
  tools: undefined,
  at: undefined,
  resources: [],
  prompts: [],
} as const;

/** Who leaves a question is not told that something failed. */
function describeUnread({ status, message }: Pick<CallOutcome, 'status' | 'message'>): ReadOffer {
  return {
    ...NOTHING_OFFERED,
    state: status === 'cancelled' ? 'idle' : 'failed',
    problem: status === 'cancelled' ? undefined : (message ?? 'The agent did not answer'),
  };
}
