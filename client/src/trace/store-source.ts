import type { HeadEvent, WireEvent } from '../../../core/events/events.ts';
import type { PayloadPiece } from '../../../core/events/payload.ts';
import type { PayloadLimiter } from '../../../trace/payload-limiter.ts';
import type { CallNode, TraceTree } from '../../../trace/fold/tree.ts';
import { Delay } from '../base/delay.ts';
import { Changing } from '../base/changing.ts';
import type { SourceChange, TraceSource } from './trace-source.ts';
import type { TraceStore } from './trace-store.ts';

/** Milliseconds between two change events. */
const PACE = 30;

/** Sorting calls takes at most one part in this number of the total time. */
const SETTLE_SHARE = 20;

/** The traces of this window, for views. */
export class StoreSource extends Changing<SourceChange> implements TraceSource {
  readonly title = 'Live traces';
  readonly #traces: TraceStore; /** The notes at the last change event. */
  #noted = '';
  readonly #reporting = this.own(new Delay(() => this.#report()));
  /** The earliest time of the next sorting, on the clock of this process. */
  #settleAt = 0;

  constructor(traces: TraceStore) {
    super();
    this.#traces = traces;
    this.own(traces.onDidChange(() => this.#reporting.ask(PACE)));
  }

  trees(): readonly TraceTree[] {
    // Traces of earlier windows are loaded on first use, not when the window opens.
    void this.#traces.load();
    return this.#traces.trees();
  }

  treeOf(call: string): TraceTree | undefined {
    return this.#traces.treeOf(call);
  }

  find(call: string): CallNode | undefined {
    return this.#traces.findCall(call)?.node;
  }

  payload(call: string, limiter?: PayloadLimiter): Promise<readonly (HeadEvent | WireEvent)[]> {
    return this.#traces.payload(call, limiter);
  }

  payloads(calls: readonly string[]): AsyncIterable<PayloadPiece> {
    return this.#traces.payloads(calls);
  }

  notes(): readonly string[] {
    return this.#traces.notes;
  }

  #report(): void {
    const begun = performance.now();
    if (begun >= this.#settleAt) {
      this.#traces.settle();
      this.#settleAt = begun + (performance.now() - begun) * SETTLE_SHARE;
    } else this.#reporting.ask(PACE);
    const { changed, dropped } = this.#traces.takeChanges();
    const noted = this.notes().join('\n');
    const isNoted = noted !== this.#noted;
    this.#noted = noted;
    if (changed.size > 0 || dropped.length > 0 || isNoted) this.changed.fire({ changed, dropped });
  }
}
