import { EventEmitter, type Disposable } from 'vscode';
import type { HeadEvent, WireEvent } from '../../../core/events/events.ts';
import type { PayloadPiece } from '../../../core/events/payload-pieces.ts';
import type { PayloadRoom } from '../../../trace/payload-room.ts';
import type { CallNode, TraceTree } from '../../../trace/fold/tree.ts';
import { Delay } from '../delay.ts';
import { DisposableStore } from '../dispose.ts';
import type { SourceChange, TraceSource } from './trace-source.ts';
import type { TraceStore } from './trace-store.ts';

/** Milliseconds between two tellings of what changed. */
const PACE = 30;

/** To put calls in order takes at most one part of so many of the time. */
const SETTLE_SHARE = 20;

/** The traces of this window as views read them. */
export class StoreSource implements TraceSource, Disposable {
  readonly title = 'Live traces';
  readonly #traces: TraceStore;
  readonly #store = new DisposableStore();
  readonly #changes = this.#store.add(new EventEmitter<SourceChange>());
  readonly onDidChange = this.#changes.event;
  /** What was noted when it was told last. */
  #noted = '';
  readonly #telling = this.#store.add(new Delay(() => this.#tell()));
  /** When calls are put in order again at the earliest, on the clock of this process. */
  #settleAt = 0;

  constructor(traces: TraceStore) {
    this.#traces = traces;
    this.#store.add(traces.onDidChange(() => this.#telling.ask(PACE)));
  }

  trees(): readonly TraceTree[] {
    // Those of earlier windows come when somebody first looks, not when the window opens.
    void this.#traces.load();
    return this.#traces.trees();
  }

  treeOf(call: string): TraceTree | undefined {
    return this.#traces.treeOf(call);
  }

  find(call: string): CallNode | undefined {
    return this.#traces.findCall(call)?.node;
  }

  payload(call: string, room?: PayloadRoom): Promise<readonly (HeadEvent | WireEvent)[]> {
    return this.#traces.payload(call, room);
  }

  payloads(calls: readonly string[]): AsyncIterable<PayloadPiece> {
    return this.#traces.payloads(calls);
  }

  notes(): readonly string[] {
    return this.#traces.notes;
  }

  dispose(): void {
    this.#store.dispose();
  }

  #tell(): void {
    const begun = performance.now();
    if (begun >= this.#settleAt) {
      this.#traces.settle();
      this.#settleAt = begun + (performance.now() - begun) * SETTLE_SHARE;
    } else this.#telling.ask(PACE);
    const { changed, dropped } = this.#traces.takeChanges();
    const noted = this.notes().join('\n');
    const isNoted = noted !== this.#noted;
    this.#noted = noted;
    if (changed.size > 0 || dropped.length > 0 || isNoted) this.#changes.fire({ changed, dropped });
  }
}
