import type { Protocols } from '../protocols/protocol.ts';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TraceEvent } from '../core/events/events.ts';
import type { ExportSource } from '../trace/export/source.ts';
import { TraceFold } from '../trace/fold/fold.ts';
import { languageFor, writeForAgent } from '../trace/replay/replay-request.ts';
import {
  describeHole,
  describeNeed,
  fillSecrets,
  listNeeds,
  type SecretNeed,
} from '../trace/replay/replay-secrets.ts';
import {
  describeOrigin,
  planReplay,
  replay,
  type ReplayPlan,
  type ReplayRequest,
  type Replayed,
  type ReplayedTrace,
} from '../trace/replay/replay.ts';
import type { CallNode } from '../trace/fold/tree.ts';
import type { AgentConfig } from './config/agent-config.ts';
import type { Variables } from './config/variables.ts';
import type { WireListener } from './connection.ts';
import { openAgent, type OpenedAgent } from './open-agent.ts';
import { RANDOM_IDS, now } from './runtime.ts';

/** What a replay needs from outside. */
export interface ReplayOptions {
  readonly protocols: Protocols;
  /** The agent that gets a request. */
  readonly agentOf: (request: ReplayRequest) => AgentConfig;
  /** Called once with the agents of all requests, before one of them is opened; throws where one may not be called. */
  readonly checkConsent?: (agents: readonly AgentConfig[]) => void;
  readonly variables: Variables;
  /** A secret that stood in requests; undefined where it has no value, so that these are not sent. */
  readonly secretOf: (need: SecretNeed) => string | undefined;
  /** What to do about a secret without a value: `set PARLEY_SECRET_FIGMA`. */
  readonly secretAdvice: (need: SecretNeed) => string;
  /** `recorded` keeps the distances between the requests; `none` sends each as soon as the one before it has its reply. */
  readonly gaps: 'recorded' | 'none';
  /** Hears the trace of the replay. */
  readonly emit: (event: TraceEvent) => void;
  /** Hears what is odd about a request or its reply, such as what a conversion loses. */
  readonly note: (recorded: CallNode, text: string) => void;
}

/** What came of a replay, or why nothing was sent: one sentence without a full stop. */
export type ReplayOutcome =
  | { readonly ok: true; readonly plan: ReplayPlan; readonly replayed: Replayed }
  | { readonly ok: false; readonly message: string };

/**
 * Sends the recorded requests of calls again and compares what comes with the recording. Each recorded trace becomes one
 * trace. An agent of another protocol is asked by conversion. All agents are opened before anything is sent. Credentials in
 * headers are those of the agents' own configuration, and secrets in requests those that `secretOf` has: recordings hold none.
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

/** Takes requests out of a plan whose secrets have no value. */
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
        reason: `${describeHole(request, missing)}, and recordings keep none: ${secretAdvice(missing.need)}`,
      });
    return !missing;
  });
  return { ...plan, requests, refused };
}

/** A connection for each agent and language, and the calls that were made on them. */
class ReplaySession {
  readonly #options: ReplayOptions;
  readonly #signal: AbortSignal;
  readonly #fold = new TraceFold();
  readonly #open = new Map<string, OpenedAgent>();
  /** The trace that stands for each recorded one. */
  readonly #traces = new Map<string, string>();

  constructor(options: ReplayOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
  }

  /** Opens the agents of requests. Answers why one cannot be opened. */
  async open(requests: readonly ReplayRequest[]): Promise<string | undefined> {
    for (const request of requests) {
      const { agent, language, key } = this.#placeOf(request);
      if (this.#open.has(key)) continue;
      const options = { doubtful: 'send' as const, ...(language && { language }) };
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
    const written = writeForAgent(request.text, request.protocol, agent.protocol);
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
      doubtful: 'send' as const,
      ...(source && { source }),
    };
    const { call, reply } = opened.send(outgoing, this.#listenFor(recorded), this.#signal);
    await reply;
    this.#take({ type: 'note', call, at: now(), text: describeOrigin(recorded) });
    return this.#fold.find(call);
  }

  /** What was on the wire of a call of this replay; undefined for another call. */
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

/** Where a request goes, and the language in which it is asked where its own protocol is not the agent's. */
interface Place {
  readonly agent: AgentConfig;
  readonly language: 'aicf' | 'aicl' | undefined;
  readonly key: string;
}

async function waitFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  // Who stops it stops the wait too: the replay looks at the signal next.
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}
