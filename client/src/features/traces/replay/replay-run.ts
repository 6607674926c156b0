import { ALL_PROTOCOLS } from '../../../../../protocols/all.ts';
import {
  describeOrigin,
  replay,
  type Replayed,
  type ReplayPlan,
  type ReplayRequest,
} from '../../../../../trace/replay/replay.ts';
import type { CallEvent, HeadEvent, WireEvent } from '../../../../../core/events/events.ts';
import { LostPayloads } from '../../../../../trace/export/lost-payloads.ts';
import type { CallNode } from '../../../../../trace/fold/tree.ts';
import type { AgentService } from '../../../services/agent-service.ts';
import { defer } from '../../../base/deferred.ts';
import type { CallPlace } from '../../../trace/trace-source.ts';
import { fillSecrets } from '../../../../../trace/replay/replay-secrets.ts';
import type { Sending, Sendings } from './receivers.ts';
import type { ReplayPace } from './replay-question.ts';
import type { ReplaySecrets } from './replay-secrets.ts';
import type { TracesParts } from '../parts.ts';

/** Calls of a replay show no reply in an editor. */
const NO_REPLY = { hasBegun: false, stay: () => undefined };

/** The parameters of a replay. */
interface ReplayTerms extends Sendings, Pick<ReplayPlan, 'made'> {
  readonly secrets: ReplaySecrets;
  readonly pace: ReplayPace;
}

/** Callbacks about the progress of a replay. */
interface ReplayListener {
  /** A request, numbered from 1, is about to be sent. */
  sends(number: number, call: CallEvent): void;
  /** The next request waits for this many milliseconds. */
  waits(milliseconds: number): void;
}

/** The maximum delay of a timer in milliseconds. */
const LONGEST_WAIT = 2 ** 31 - 1;

/**
 * Sends the requests of a replay one after the other, as calls of one new trace. A note of each call names
 * the recorded one.
 */
export class ReplayRun {
  readonly #services: TracesParts;
  readonly #agents: AgentService;
  readonly #place: CallPlace;
  readonly #plan: ReplayPlan;
  readonly #sendings: ReadonlyMap<ReplayRequest, Sending>;
  /** The ids of calls that the replay made. */
  readonly #made = new Set<string>();
  readonly #reasons: Map<CallNode, string>;
  readonly #secrets: ReplaySecrets;
  readonly #pace: ReplayPace;
  /** W3C trace context: 32 hexadecimal digits. */
  readonly #trace = crypto.randomUUID().replaceAll('-', '');

  /** `place` is a call in the source of the recording. */
  constructor(
    services: TracesParts,
    agents: AgentService,
    place: CallPlace,
    { sendings, unsent, made, secrets, pace }: ReplayTerms,
  ) {
    this.#services = services;
    this.#agents = agents;
    this.#place = place;
    this.#secrets = secrets;
    this.#pace = pace;
    this.#plan = { requests: sendings.map(({ request }) => request), refused: unsent, made };
    this.#sendings = new Map(sendings.map(each => [each.request, each]));
    this.#reasons = new Map(unsent.map(({ recorded, reason }) => [recorded, reason]));
  }

  /** Sends the requests until `stop` is aborted; stopping one of the calls aborts it, too. */
  run(stop: AbortController, listener: ReplayListener): Promise<Replayed> {
    let count = 0;
    const wait = async (milliseconds: number): Promise<void> => {
      listener.waits(milliseconds);
      await pause(milliseconds, stop.signal);
    };
    return replay(this.#plan, {
      send: request => {
        listener.sends(++count, request.recorded.call);
        return this.#send(request, stop);
      },
      wait: this.#pace === 'recorded' ? wait : undefined,
      payload: call => this.#payload(call),
      protocols: ALL_PROTOCOLS,
      now: () => Date.now(),
      signal: stop.signal,
    });
  }

  /** The reason why a recorded request was not sent. */
  reasonOf(recorded: CallNode): string {
    return this.#reasons.get(recorded) ?? 'the replay was stopped before';
  }

  async #send(request: ReplayRequest, stop: AbortController): Promise<CallNode | undefined> {
    const { recorded } = request;
    const sending = this.#sendings.get(request);
    if (!sending) return undefined;
    const { agent, language, losses } = sending;
    const filled = fillSecrets(sending.text, language ?? agent.protocol, request.holes, need =>
      this.#secrets(agent, need),
    );
    if (!filled.ok) {
      this.#reasons.set(recorded, filled.reason);
      return undefined;
    }
    const { title, source } = recorded.call;
    const { traces, running } = this.#services;
    // Source positions in a trace file can refer to another computer, so they are used only for traces of this window.
    const isOurs = this.#place.source === this.#services.source;
    const begun = await this.#agents.call(
      {
        agent: agent.name,
        title,
        wireText: filled.text,
        secrets: filled.secrets,
        trace: this.#trace,
        language,
        warningPolicy: 'send',
        ...(isOurs && source ? { source } : {}),
      },
      () => undefined,
      stop.signal,
    );
    if ('status' in begun) {
      const reason = begun.message ?? 'the replay was stopped';
      this.#reasons.set(recorded, reason.replace(/\.$/, ''));
      return undefined;
    }
    const { call } = begun;
    this.#made.add(call);
    running.add(call, { stop, places: [], reply: NO_REPLY, over: Promise.resolve() });
    const at = traces.findCall(call)?.node.call.at ?? Date.now();
    traces.add({ type: 'note', call, at, text: describeOrigin(recorded) });
    for (const text of losses) traces.add({ type: 'note', call, at, text: `Lost in conversion: ${text}` });
    await begun.outcome;
    running.delete(call);
    return traces.findCall(call)?.node;
  }

  /** The payload of a recorded or replayed call, as far as it fits into one string. */
  #payload(call: string): Promise<readonly (HeadEvent | WireEvent)[]> {
    const source = this.#made.has(call) ? this.#services.source : this.#place.source;
    return new LostPayloads(source).beginning(call);
  }
}

/** Waits for some milliseconds, or until the signal is aborted. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  const over = defer<undefined>();
  const end = (): void => over.resolve(undefined);
  const timer = setTimeout(end, Math.min(milliseconds, LONGEST_WAIT));
  signal.addEventListener('abort', end, { once: true });
  await over.promise;
  clearTimeout(timer);
  signal.removeEventListener('abort', end);
}
