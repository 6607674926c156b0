import type { PlacedCall, SpanContext } from '../../trace/export/otlp.ts';
import { spanOf } from '../../core/events/events.ts';
import { MAX_SPANS } from './batches.ts';
import { spansOf, pause, SpanSender, type Wait } from './otlp-sender.ts';
import type { TraceTarget } from './target.ts';

/** Milliseconds in which calls are collected for a batch, so that late events of them are included. */
const GATHER = 1_000;

/** Milliseconds until an unreachable collector is tried again. */
const UNTIL_RETRY = 30_000;

/** The maximum number of calls that may wait. The oldest ones beyond it are dropped and counted. */
const MAX_WAITING = 100_000;

/** The state of sending. `sent`, `waiting` and `lost` add up to all calls. */
export interface CallSending {
  readonly sent: number;
  readonly waiting: number;
  /** Calls that the collector rejected, that were deleted before they were sent, or that exceeded the capacity. */
  readonly lost: number;
  /** Why calls were lost or cannot be sent now; undefined if there is no problem. */
  readonly problem: string | undefined;
}

/** What a call sender needs from outside. */
export interface CallSenderOptions {
  readonly target: TraceTarget;
  /** A call in its current state; undefined if it is no longer stored. */
  find(call: string): PlacedCall | undefined;
  readonly context: SpanContext;
  /** Called when the state has changed. */
  changed(): void;
  readonly wait?: Wait;
  readonly maxWaiting?: number;
}

/**
 * Sends calls to a collector when they end, in batches, one after the other: the next batch is collected while one is
 * being sent. If the collector is down, the ids of calls wait until it is available again. Calls that are not delivered
 * are counted, with the reason. A call is sent only once, even if the collector reports it back to us.
 */
export class CallSender {
  readonly #options: CallSenderOptions;
  readonly #wait: Wait;
  /** Aborted when sending ends: all waits end. */
  readonly #ending = new AbortController();
  /** Ids in the order in which the calls ended. */
  readonly #waiting = new Set<string>();
  readonly #taken = new WeakSet<PlacedCall['node']>();
  #running: Promise<void> | undefined;
  #underWay = 0;
  #sent = 0;
  #lost = 0;
  /** Why calls cannot be sent now, and why some are lost for good. */
  #down: string | undefined;
  #loss: string | undefined;

  constructor(options: CallSenderOptions) {
    this.#options = options;
    this.#wait = options.wait ?? pause;
  }

  get state(): CallSending {
    return {
      sent: this.#sent,
      waiting: this.#waiting.size + this.#underWay,
      lost: this.#lost,
      problem: this.#down ?? this.#loss,
    };
  }

  /** Adds a call that has ended. */
  add(call: string): void {
    const found = this.#options.find(call);
    if (this.#ending.signal.aborted || !found || this.#taken.has(found.node)) return;
    // The same call was observed here, so this is the collector's report of it.
    const observed = this.#options.find(spanOf(call));
    if (observed && observed.node !== found.node) return;
    this.#taken.add(found.node);
    this.#waiting.add(call);
    const most = this.#options.maxWaiting ?? MAX_WAITING;
    const [oldest] = this.#waiting;
    if (this.#waiting.size > most && oldest !== undefined) {
      this.#waiting.delete(oldest);
      this.#lost++;
      this.#loss = `More than ${most} calls waited for the collector; the oldest of them are not sent`;
    }
    this.#running ??= this.#run().finally(() => (this.#running = undefined));
    this.#options.changed();
  }

  /** Sends what waits, unless the collector is down, then ends. Returns the state: what waits then is not sent. */
  async stop(): Promise<CallSending> {
    this.#ending.abort();
    await this.#running;
    return this.state;
  }

  /** Sends until nothing waits. Never rejects. */
  async #run(): Promise<void> {
    while (this.#waiting.size > 0) {
      await this.#rest(GATHER);
      // A collector that is down is not tried again at the end.
      if (this.#ending.signal.aborted && this.#down !== undefined) return;
      const ids = [...this.#waiting].slice(0, MAX_SPANS);
      for (const id of ids) this.#waiting.delete(id);
      this.#underWay = ids.length;
      const sender = new SpanSender(this.#options.target, new AbortController().signal, milliseconds =>
        this.#wait(milliseconds, this.#ending.signal),
      );
      const calls = ids.flatMap(id => this.#options.find(id) ?? []);
      for await (const batch of spansOf(calls, this.#options.context)) await sender.send(batch);
      this.#settle(ids, calls.length, sender);
      this.#options.changed();
      if (sender.isGivenUp) await this.#rest(UNTIL_RETRY);
    }
  }

  #settle(ids: readonly string[], found: number, { isGivenUp, report }: SpanSender): void {
    this.#underWay = 0;
    if (isGivenUp) {
      // All of them are sent again: the collector recognises spans that it has by their ids.
      const later = [...this.#waiting];
      this.#waiting.clear();
      for (const id of [...ids, ...later]) this.#waiting.add(id);
    } else {
      this.#sent += report.sent;
      this.#lost += ids.length - report.sent;
    }
    const problem = report.problems.join(' ');
    this.#down = isGivenUp ? problem : undefined;
    const gone = found < ids.length ? 'Calls were deleted before they were sent' : '';
    if (!isGivenUp) this.#loss = problem || gone || this.#loss;
  }

  async #rest(milliseconds: number): Promise<void> {
    try {
      await this.#wait(milliseconds, this.#ending.signal);
    } catch {
      // Woken by the end of sending.
    }
  }
}
