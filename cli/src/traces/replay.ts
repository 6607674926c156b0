import type { Connect } from '../../../agents/connection.ts';
import type { Protocols } from '../../../protocols/protocol.ts';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TraceEvent } from '../../../core/events/events.ts';
import type { ExportSource } from '../../../trace/export/source.ts';
import { TraceFold } from '../../../trace/fold/fold.ts';
import { languageFor, writeForAgent } from '../../../trace/replay/replay-request.ts';
import {
  describeHole,
  describeNeed,
  fillSecrets,
  listNeeds,
  type SecretNeed,
} from '../../../trace/replay/replay-secrets.ts';
import {
  describeOrigin,
  planReplay,
  replay,
  type ReplayPlan,
  type ReplayRequest,
  type Replayed,
  type ReplayedTrace,
} from '../../../trace/replay/replay.ts';
import type { CallNode } from '../../../trace/fold/tree.ts';
import type { AgentConfig } from '../../../agents/config/agent-config.ts';
import type { Variables } from '../../../agents/config/variables.ts';
import type { WireListener } from '../../../agents/connection.ts';
import { openAgent, type OpenedAgent } from '../../../agents/open-agent.ts';
import { RANDOM_IDS, now } from '../../../agents/runtime.ts';

/** What a replay needs from outside. */
export interface ReplayOptions {
  readonly protocols: Protocols;
  readonly connect: Connect;
  /** The agent to which a request is sent. */
  readonly agentOf: (request: ReplayRequest) => AgentConfig<string>;
  /** Called once with the agents of all requests, before any is opened; throws if one of them may not be called. */
  readonly checkConsent?: (agents: readonly AgentConfig<string>[]) => void;
  readonly variables: Variables;
  /** The value of a secret that was redacted in requests; undefined if it has none, so that these are not sent. */
  readonly secretOf: (need: SecretNeed) => string | undefined;
  /** How to set a secret without a value: `set PARLEY_SECRET_FIGMA`. */
  readonly secretAdvice: (need: SecretNeed) => string;
  /**
   * `recorded` waits between requests as in the recording; `none` sends each one as soon as the last reply
   * arrived.
   */
  readonly gaps: 'recorded' | 'none';
  /** Receives the events of the replay. */
  readonly emit: (event: TraceEvent) => void;
  /** Receives anything unexpected about a request or its reply, such as what a conversion loses. */
  readonly note: (recorded: CallNode, text: string) => void;
}

/** The outcome of a replay, or why nothing was sent: one sentence without a full stop. */
export type ReplayOutcome =
  | { readonly ok: true; readonly plan: ReplayPlan; readonly replayed: Replayed }
  | { readonly ok: false; readonly message: string };

/**
 * Sends recorded requests again and compares the replies with the recording. Each recorded trace becomes one
 * new trace. Requests to an agent of another protocol are converted. All agents are opened before the first
 * request is sent. Recordings contain no secrets: credentials in headers come from the agents' configuration,
 * secrets in requests from `secretOf`.
 */
export async function replayCalls(
  traces: readonly ReplayedTrace[],
  payload: ExportSource['payload'],
  options: ReplayOptions,
  signal: AbortSignal,
): Promise<ReplayOutcome> {
  const plan = refuseWithoutSecrets(
    await planReplay(traces, payload, { newId: randomUUID, protocols: options.protocols }),
    options,
  );
  options.checkConsent?.(plan.requests.map(request => options.agentOf(request)));
  const session = new ReplaySession(options, signal);
  try {
    const problem = await session.open(plan.requests);
    if (problem !== undefined) return { ok: false, message: problem };
    const replayed = await replay(plan, {
      send: request => session.send(request),
      payload: async call => session.payload(call) ?? (await payload(call)),
      protocols: options.protocols,
      now,
      signal,
      wait: options.gaps === 'recorded' ? milliseconds => waitFor(milliseconds, signal) : undefined,
    });
    return { ok: true, plan, replayed };
  } finally {
    await session.close();
  }
}

/** Removes requests with unknown secrets from a plan and lists them as refused. */
function refuseWithoutSecrets(
  plan: ReplayPlan,
  { secretOf, secretAdvice }: Pick<ReplayOptions, 'secretOf' | 'secretAdvice'>,
): ReplayPlan {
  const refused = [...plan.refused];
  const requests = plan.requests.filter(request => {
    const missing = request.holes.find(({ need }) => secretOf(need) === undefined);
    if (missing)
      refused.push({
        recorded: request.recorded,
        reason: `${describeHole(request, missing)}, and recordings contain no secrets: ${secretAdvice(missing.need)}`,
      });
    return !missing;
  });
  return { ...plan, requests, refused };
}

/** The connections by agent and language, and the calls made on them. */
class ReplaySession {
  readonly #options: ReplayOptions;
  readonly #signal: AbortSignal;
  readonly #fold = new TraceFold();
  readonly #open = new Map<string, OpenedAgent>();
  /** The new trace for each recorded one. */
  readonly #traces = new Map<string, string>();

  constructor(options: ReplayOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
  }

  /** Opens the agents of requests. Returns why one cannot be opened. */
  async open(requests: readonly ReplayRequest[]): Promise<string | undefined> {
    for (const request of requests) {
      const { agent, language, key } = this.#placeOf(request);
      if (this.#open.has(key)) continue;
      const { protocols, connect } = this.#options;
      const options = { protocols, connect, warningPolicy: 'send' as const, ...(language && { language }) };
      const opened = await openAgent(agent, this.#options.variables, event => this.#take(event), options);
      if (!opened.ok) return opened.message;
      this.#open.set(key, opened);
    }
    return undefined;
  }

  async send(request: ReplayRequest): Promise<CallNode | undefined> {
    const { recorded } = request;
    const { agent, key } = this.#placeOf(request);
    const opened = this.#open.get(key);
    if (!opened) return undefined;
    const written = writeForAgent(request.text, {
      from: request.protocol,
      to: agent.protocol,
      protocols: this.#options.protocols,
    });
    if (!written.ok) {
      this.#options.note(recorded, `Not sent to ${agent.name}: ${written.reason}`);
      return undefined;
    }
    for (const loss of written.losses) this.#options.note(recorded, loss);
    const form = written.language ?? agent.protocol;
    const filled = fillSecrets(written.text, form, request.holes, need => this.#options.secretOf(need));
    if (!filled.ok) {
      this.#options.note(recorded, `Not sent to ${agent.name}: ${filled.reason}`);
      return undefined;
    }
    for (const need of listNeeds(request.holes))
      this.#options.note(recorded, `Filled in: ${describeNeed(need)}`);
    const { title, source } = recorded.call;
    const outgoing = {
      wireText: filled.text,
      secrets: filled.secrets,
      trace: this.#traceOf(request.trace),
      title,
      warningPolicy: 'send' as const,
      ...(source && { source }),
    };
    const { call, reply } = opened.send(outgoing, this.#listenFor(recorded), this.#signal);
    await reply;
    this.#take({ type: 'note', call, at: now(), text: describeOrigin(recorded) });
    return this.#fold.find(call);
  }

  /** The payload of a call of this replay; undefined for any other call. */
  payload(call: string): readonly CallWire[] | undefined {
    const node = this.#fold.find(call);
    return node && [...node.heads, ...node.wire].toSorted((one, other) => (one.seq ?? 0) - (other.seq ?? 0));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map(opened => opened.close()));
  }

  #traceOf(recorded: string): string {
    const trace = this.#traces.get(recorded) ?? RANDOM_IDS.newTrace();
    this.#traces.set(recorded, trace);
    return trace;
  }

  #placeOf(request: ReplayRequest): Place {
    const agent = this.#options.agentOf(request);
    const language = languageFor(request.protocol, agent.protocol);
    return { agent, language, key: JSON.stringify([agent.name, language]) };
  }

  #take(event: TraceEvent): void {
    this.#fold.add(event);
    this.#options.emit(event);
  }

  #listenFor(recorded: CallNode): WireListener {
    return {
      head: () => undefined,
      bytes: () => undefined,
      note: text => this.#options.note(recorded, text),
      progress: () => undefined,
    };
  }
}

type CallWire = CallNode['heads'][number] | CallNode['wire'][number];

/** The agent for a request, and the language for sending it if its own protocol is not the agent's. */
interface Place {
  readonly agent: AgentConfig<string>;
  readonly language: 'aicf' | 'aicl' | undefined;
  readonly key: string;
}

async function waitFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  // An abort ends the wait early; the replay checks the signal next.
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}
