import { quote } from '../../core/text/quote.ts';
import { CallRecord, isSamePlace, type CallDetail } from './call-record.ts';
import type { CallEvent, TraceEvent } from '../../core/events/events.ts';
import type { PayloadPlace, SkeletonEvent } from '../../core/events/marks.ts';
import { Placing } from './placing.ts';
import { SharedTexts } from './shared-texts.ts';
import { compareCalls } from './siblings.ts';
import type { CallNode, TraceTree } from './tree.ts';

/** Folds all events of a trace file. */
export function foldTrace(events: Iterable<TraceEvent>): readonly TraceTree[] {
  const fold = new TraceFold();
  for (const event of events) fold.add(event);
  return fold.trees();
}

/**
 * Folds trace events into trees as they come. Every event is taken: one that comes again changes nothing (heads and bytes
 * without a number, which may rightly repeat, count each time), one that comes before its call waits for it, a call whose
 * parent is unknown or leads back to itself is a root with a note. Events may come in any order: the trees are those that
 * their times and numbers make.
 */
export class TraceFold {
  readonly #payloads: PayloadPlace;
  readonly #texts = new SharedTexts();
  readonly #calls = new Map<string, CallRecord>();
  readonly #waiting = new Map<string, CallDetail[]>();
  #placing = this.#newPlacing();
  #changes = new Set<CallNode>();
  /** True where a call has another agent since all were placed: cycles through it read otherwise. */
  #isRenamed = false;
  /** What placings before this one did. */
  #workBefore = 0;

  constructor(payloads: PayloadPlace = 'kept') {
    this.#payloads = payloads;
  }

  /** Takes one event. */
  add(event: TraceEvent | SkeletonEvent): void {
    if (event.type === 'call') this.#addCall(event);
    else this.#addDetail(event);
  }

  /** The traces so far, by the time of their first call. */
  trees(): readonly TraceTree[] {
    this.settle();
    return [...this.#placing.groups].sort(compareTrees);
  }

  /** How many traces there are so far. */
  get size(): number {
    return this.#placing.groups.size;
  }

  /** The trace of a call; undefined where the call is not known. */
  treeOf(call: string): TraceTree | undefined {
    return this.#calls.get(call)?.group;
  }

  /** A call by its id. */
  find(call: string): CallNode | undefined {
    return this.#calls.get(call);
  }

  /** Calls that changed since this was asked last, and forgets them: new ones, and all that stand elsewhere. */
  takeChanges(): ReadonlySet<CallNode> {
    const changes = this.#changes;
    this.#changes = new Set();
    return changes;
  }

  /** How many calls were looked at so far to find the places of all: tests hold it to be linear in their number. */
  get work(): number {
    return this.#workBefore + this.#placing.work;
  }

  /**
   * Puts calls where their times say, where some came out of order. Until then they stand where they seemed to belong when
   * they came. Work: all calls, once; none where all came in order.
   */
  settle(): void {
    if (!this.#placing.needsOrder) return;
    const records = [...this.#calls.values()].sort(compareCalls);
    const before = records.map(record => record.place);
    this.#workBefore += this.#placing.work + records.length;
    // Each is placed anew; only those that stand elsewhere then have changed.
    const changes = this.#changes;
    this.#changes = new Set();
    this.#placing = this.#newPlacing();
    this.#placing.placeAll(records);
    this.#placing.needsOrder = false;
    this.#changes = changes;
    let isMoved = this.#isRenamed;
    for (const [index, record] of records.entries()) {
      const was = before[index];
      if (!was || isSamePlace(was, record.place)) continue;
      isMoved = true;
      for (const changed of [record, record.parent, was.parent]) if (changed) this.#changes.add(changed);
    }
    // A cycle goes through calls above, any of which may be another one now.
    if (isMoved) for (const record of records) if (record.entered) this.#changes.add(record);
    this.#isRenamed = false;
  }

  /** What is odd about the events as a whole: those whose call never came. */
  notes(): readonly string[] {
    return [...this.#waiting].map(
      ([call, details]) =>
        `The call ${quote(call)} is not in the trace; ${details.length} of its events are left out`,
    );
  }

  /** Forgets what was on the wire of a call, because it is kept elsewhere. Its numbers stay. */
  dropPayload(call: string): void {
    this.#calls.get(call)?.dropPayload();
  }

  /** Forgets a trace with its calls, and answers these. */
  forget(trace: TraceTree): readonly CallEvent[] {
    const first = trace.roots[0];
    const group = first && this.#calls.get(first.call.call)?.group;
    if (!group) return [];
    this.#placing.forget(group);
    for (const record of group.members) {
      this.#changes.delete(record);
      this.#calls.delete(record.call.call);
    }
    return group.members.map(record => record.call);
  }

  /** Forgets all. */
  clear(): void {
    this.#calls.clear();
    this.#waiting.clear();
    this.#changes.clear();
    this.#placing = this.#newPlacing();
  }

  #newPlacing(): Placing {
    return new Placing(this.#calls, record => this.#changes.add(record));
  }

  #addCall(event: CallEvent): void {
    const known = this.#calls.get(event.call);
    if (known) {
      if (known.meet(event)) this.#placing.needsOrder = true;
      this.#changes.add(known);
      return;
    }
    const record = new CallRecord(this.#texts.share(event));
    this.#calls.set(record.call.call, record);
    this.#placing.place(record);
    this.#changes.add(record);
    if (record.parent) this.#changes.add(record.parent);
    const waiting = this.#waiting.get(event.call);
    this.#waiting.delete(event.call);
    for (const detail of waiting ?? []) this.#take(record, detail);
  }

  #addDetail(event: CallDetail): void {
    const record = this.#calls.get(event.call);
    if (record) {
      this.#take(record, event);
      return;
    }
    const waiting = this.#waiting.get(event.call);
    if (waiting) waiting.push(event);
    else this.#waiting.set(event.call, [event]);
  }

  #take(record: CallRecord, event: CallDetail): void {
    const { until, call, status } = record;
    const { firstInAt } = record.traffic;
    if (!record.take(event, this.#payloads)) return;
    this.#changes.add(record);
    if (event.type === 'identity') this.#placing.learn(record, call);
    if (record.call.agent !== call.agent) this.#isRenamed = true;
    if (record.traffic.firstInAt !== firstInAt) this.#placing.hear(record);
    // An end that comes late may be another one.
    if (record.until === until && until !== Infinity && record.status !== status)
      this.#placing.needsOrder = true;
    if (record.until === until) return;
    // An end that comes after a later one: what was found by the later one may be wrong.
    if (until === Infinity) this.#placing.end(record);
    else this.#placing.needsOrder = true;
  }
}

function compareTrees(a: TraceTree, b: TraceTree): number {
  const [first, second] = [a.roots[0], b.roots[0]];
  return first && second ? compareCalls(first, second) : 0;
}
