import type { PlacedCall } from '../../trace/export/otlp.ts';
import { spanOf } from '../../core/events/told-id.ts';
import { MOST_SPANS } from './batches.ts';
import { spansOf, type SpanContent } from './export-batches.ts';
import { pause, SpanSender, type Wait } from './otlp-sender.ts';
import type { TraceTarget } from './target.ts';

/** Milliseconds in which calls gather to a batch, and what is told of them late still comes along. */
const GATHER = 1_000;

/** Milliseconds until a collector that was given up is tried again. */
const UNTIL_RETRY = 30_000;

/** Calls that may wait. Of more the oldest are given up, and counted. */
const MOST_WAITING = 100_000;

/** How sending stands. The calls that were to be sent are `sent`, `waiting` and `lost` together. */
export interface CallSending {
  readonly sent: number;
  readonly waiting: number;
  /** Calls that the collector refused, that were deleted before they got there, or for which there was no more room. */
  readonly lost: number;
  /** Why something was lost or does not get there now; undefined while all goes well. */
  readonly problem: string | undefined;
}

/** What a call sender needs from outside. */
export interface CallSenderOptions {
  readonly target: TraceTarget;
  /** A call as it is now; undefined where it is no longer kept. */
  find(call: string): PlacedCall | undefined;
  /** With it spans tell what was asked and answered. */
  readonly content?: SpanContent | undefined;
  /** Hears that it stands otherwise. */
  changed(): void;
  readonly wait?: Wait;
  readonly mostWaiting?: number;
}

/**
 * Sends calls to a collector as they end, in batches, one after the other: while one is under way, the next ones gather. Those
 * for a collector that is down wait until it is there again, as their ids alone; what does not get there is counted with the
 * reason, so nothing is lost in silence. A call is sent once, also where the collector tells it back to us.
 */
export class CallSender {
  readonly #options: CallSenderOptions;
  readonly #wait: Wait;
  /** Aborted when it ends: nothing is waited for any more. */
  readonly #ending = new AbortController();
  /** Ids in the order in which the calls ended. */
  readonly #waiting = new Set<string>();
  readonly #taken = new WeakSet<PlacedCall['node']>();
  #running: Promise<void> | undefined;
  #underWay = 0;
  #sent = 0;
  #lost = 0;
  /** Why calls do not get there now, and why some never will. */
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

  /** A call has ended. */
  add(call: string): void {
    const found = this.#options.find(call);
    if (this.#ending.signal.aborted || !found || this.#taken.has(found.node)) return;
    // What tells of a call that was heard here is that call as the collector tells it back.
    const heard = this.#options.find(spanOf(call));
    if (heard && heard.node !== found.node) return;
    this.#taken.add(found.node);
    this.#waiting.add(call);
    const most = this.#options.mostWaiting ?? MOST_WAITING;
    const [oldest] = this.#waiting;
    if (this.#waiting.size > most && oldest !== undefined) {
      this.#waiting.delete(oldest);
      this.#lost++;
      this.#loss = `More than ${most} calls waited for the collector; the oldest of them are not sent`;
    }
    this.#running ??= this.#run().finally(() => (this.#running = undefined));
    this.#options.changed();
  }

  /** Sends what waits, unless the collector is down, and no more. Answers how it stands: what waits then is not sent. */
  async stop(): Promise<CallSending> {
    this.#ending.abort();
    await this.#running;
    return this.state;
  }

  /** Sends until nothing waits. Never rejects. */
  async #run(): Promise<void> {
    while (this.#waiting.size > 0) {
      await this.#rest(GATHER);
      // One that is down is not tried again for the sake of the end.
      if (this.#ending.signal.aborted && this.#down !== undefined) return;
      const ids = [...this.#waiting].slice(0, MOST_SPANS);
      for (const id of ids) this.#waiting.delete(id);
      this.#underWay = ids.length;
      const sender = new SpanSender(this.#options.target, new AbortController().signal, milliseconds =>
        this.#wait(milliseconds, this.#ending.signal),
      );
      const calls = ids.flatMap(id => this.#options.find(id) ?? []);
      for await (const batch of spansOf(calls, this.#options.content)) await sender.send(batch);
      this.#settle(ids, calls.length, sender);
      this.#options.changed();
      if (sender.isGivenUp) await this.#rest(UNTIL_RETRY);
    }
  }

  #settle(ids: readonly string[], found: number, { isGivenUp, report }: SpanSender): void {
    this.#underWay = 0;
    if (isGivenUp) {
      // All of them again: one that got there is known by its id.
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
      // The end wakes it.
    }
  }
}
