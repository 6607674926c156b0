import { connectAicf } from '../../../agents/aicf/connection.ts';
import { connectAicl } from '../../../agents/aicl/connection.ts';
import type { ResolvedHttpAgent } from '../../../agents/config/resolve-agent.ts';
import type { ProtocolName } from '../../../core/catalog/protocols.ts';
import { withSend, type Connection, type Reply, type Sender } from '../../../agents/connection.ts';
import type { OpenedAgent } from '../../../agents/open-agent.ts';
import { sendTracked, type Tracking } from '../../../agents/tracked.ts';
import { DEFAULT_HTTP_LIMITS, type HttpLimits } from '../../../agents/http/http-connection.ts';

/** An agent at an address, with nothing else set. */
export function agentAt(
  protocol: ProtocolName,
  url: string,
  more: Partial<ResolvedHttpAgent> = {},
): ResolvedHttpAgent {
  const name = 'tester';
  return {
    type: 'http',
    name,
    protocol,
    url: new URL(url),
    headers: new Map(),
    tls: {},
    secrets: [],
    secretHeaders: [],
    ...more,
  };
}

/** A connection to it with limits of which some are set. */
export function connectTo(agent: ResolvedHttpAgent, limits: Partial<HttpLimits> = {}): Connection {
  const all = { ...DEFAULT_HTTP_LIMITS, ...limits };
  return agent.protocol === 'aicf' ? connectAicf(agent, all) : connectAicl(agent, all);
}

/** What a caller sees of one request. */
export interface Sent {
  /** The reply without what the next request of its conversation needs. */
  readonly reply: Omit<Reply, 'carried' | 'approvals'>;
  readonly carried: Reply['carried'];
  readonly approvals: Reply['approvals'];
  /** Heads, notes and bytes, as `out POST …`, `note …`, `in BYTES`. Bytes of a direction that follow each other are joined. */
  readonly observed: readonly string[];
  /** The progress that was reported, piece by piece. */
  readonly progress: readonly string[];
  /** The bytes of the reply as they came, piece by piece. */
  readonly pieces: readonly string[];
  /** The processes that it was sent to. */
  readonly pids: readonly number[];
}

export interface SendOptions {
  readonly timeout?: number;
  readonly signal?: AbortSignal;
  /** The conversation that the request continues. */
  readonly session?: string;
  /** Hears how many bytes of the reply's body came so far. */
  onBody?(received: number): void;
  /** Hears that bytes of the request are on their way, and to which process. */
  onSent?(pid: number | undefined): void;
  /** Hears the bytes of the reply, as text. */
  onPiece?(piece: string): void;
}

/** Sends one request and keeps all that the listener hears. */
export async function sendTo(connection: Sender, wireText: string, options: SendOptions = {}): Promise<Sent> {
  const observed: [string, string][] = [];
  const progress: string[] = [];
  const pieces: string[] = [];
  const pids: number[] = [];
  let received = 0;
  const { timeout, session, signal = new AbortController().signal } = options;
  const { carried, approvals, ...reply } = await connection.send(
    {
      wireText,
      ...(timeout === undefined ? {} : { timeout }),
      ...(session === undefined ? {} : { session }),
    },
    {
      head(direction, line, facts) {
        observed.push([`${direction} head`, line]);
        const pid = facts.find(({ name }) => name === 'pid')?.value;
        if (direction === 'out' && pid !== undefined) pids.push(Number(pid));
      },
      bytes(direction, bytes) {
        if (direction === 'in') options.onBody?.((received += bytes.length));
        if (direction === 'out') options.onSent?.(pids.at(-1));
        const text = Buffer.from(bytes).toString('latin1');
        if (direction === 'in') pieces.push(text);
        if (direction === 'in') options.onPiece?.(text);
        const last = observed.at(-1);
        if (last?.[0] === direction) last[1] += text;
        else observed.push([direction, text]);
      },
      note: text => void observed.push(['note', text]),
      progress: text => void progress.push(text),
    },
    signal,
  );
  return {
    reply,
    carried,
    approvals,
    observed: observed.map(([what, text]) => `${what}: ${text}`),
    progress,
    pieces,
    pids,
  };
}

/** A connection each of whose requests is a call whose events are emitted. */
export function trackConnection(connection: Connection, tracking: Tracking): Connection {
  return withSend(connection, (...request) => sendTracked(connection, tracking, ...request).reply);
}

/** An agent that was opened, as what sends requests. */
export function senderOf(opened: OpenedAgent): Sender {
  return { send: (...request) => opened.send(...request).reply };
}
