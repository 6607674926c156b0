import { quote } from '../../core/text/quote.ts';
import { CallRecord, isSamePlace, type CallDetail } from './call-record.ts';
import type { CallEvent, TraceEvent } from '../../core/events/events.ts';
import type { PayloadPlace, SkeletonEvent } from '../../core/events/payload.ts';
import { ParentResolver } from './parent-resolver.ts';
import { SharedTexts } from './shared-texts.ts';
import { compareCalls } from './siblings.ts';
import type { CallNode, TraceTree } from './tree.ts';

/**
 * Folds trace events into trees as they arrive, in any order: the trees depend only on the times and numbers
 * of the events. A repeated event changes nothing, except for heads and bytes without a sequence number,
 * which count each time. Events of an unknown call wait for it. A call whose parent is unknown, or leads back
 * to the call, is a root with a note.
 */
export class TraceFold {
  readonly #payloads: PayloadPlace;
  readonly #texts = new SharedTexts();
  readonly #calls = new Map<string, CallRecord>();
  readonly #waiting = new Map<string, CallDetail[]>();
  #parents = this.#newResolver();
  #changes = new Set<CallNode>();
  /** True if a call got another agent since all were placed, which changes the cycles through it. */
  #isRenamed = false;
  /** The work of earlier `ParentResolver` objects. */
  #workBefore = 0;

  constructor(payloads: PayloadPlace = 'held') {
    this.#payloads = payloads;
  }

  add(event: TraceEvent | SkeletonEvent): void {
    if (event.type === 'call') this.#addCall(event);
    else this.#addDetail(event);
  }

  /** The traces so far, by the time of their first call. */
  trees(): readonly TraceTree[] {
    this.settle();
    return [...this.#parents.groups].sort(compareTrees);
  }

  /** The number of traces so far. */
  get size(): number {
    return this.#parents.groups.size;
  }

  /** The trace of a call; undefined for an unknown call. */
  treeOf(call: string): TraceTree | undefined {
    return this.#calls.get(call)?.group;
  }

  find(call: string): CallNode | undefined {
    return this.#calls.get(call);
  }

  /** Returns the new, changed and moved calls since the last time, and clears that set. */
  takeChanges(): ReadonlySet<CallNode> {
    const changes = this.#changes;
    this.#changes = new Set();
    return changes;
  }

  /** The number of calls examined to find positions; tests check that it is linear in the number of calls. */
  get work(): number {
    return this.#workBefore + this.#parents.work;
  }

  /**
   * Finds the final positions of calls if some arrived out of order; until then, positions are preliminary.
   * Visits all calls once, or none if all arrived in order.
   */
  settle(): void {
    if (!this.#parents.needsOrder) return;
    const records = [...this.#calls.values()].sort(compareCalls);
    const before = records.map(record => record.place);
    this.#workBefore += this.#parents.work + records.length;
    // All calls are placed again, but only those with another position have changed.
    const changes = this.#changes;
    this.#changes = new Set();
    this.#parents = this.#newResolver();
    this.#parents.placeAll(records);
    this.#parents.needsOrder = false;
    this.#changes = changes;
    let isMoved = this.#isRenamed;
    for (const [index, record] of records.entries()) {
      const was = before[index];
      if (!was || isSamePlace(was, record.place)) continue;
      isMoved = true;
      for (const changed of [record, record.parent, was.parent]) if (changed) this.#changes.add(changed);
    }
    // Any ancestor in a cycle may be another call now.
    if (isMoved) for (const record of records) if (record.entered) this.#changes.add(record);
    this.#isRenamed = false;
  }

  /** Notes on all events: those whose call never arrived. */
  notes(): readonly string[] {
    return [...this.#waiting].map(
      ([call, details]) =>
        `The call ${quote(call)} is not in the trace; ${details.length} of its events are left out`,
    );
  }

  /** Drops the payload of a call that is stored elsewhere. Its counts stay. */
  dropPayload(call: string): void {
    this.#calls.get(call)?.dropPayload();
  }

  /** Removes a trace with its calls, and returns these. */
  forget(trace: TraceTree): readonly CallEvent[] {
    const first = trace.roots[0];
    const group = first && this.#calls.get(first.call.call)?.group;
    if (!group) return [];
    this.#parents.forget(group);
    for (const record of group.members) {
      this.#changes.delete(record);
      this.#calls.delete(record.call.call);
    }
    return group.members.map(record => record.call);
  }

  #newResolver(): ParentResolver {
    return new ParentResolver(this.#calls, record => this.#changes.add(record));
  }

  #addCall(event: CallEvent): void {
    const known = this.#calls.get(event.call);
    if (known) {
      if (known.meet(event)) this.#parents.needsOrder = true;
      this.#changes.add(known);
      return;
    }
    const record = new CallRecord(this.#texts.share(event));
    this.#calls.set(record.call.call, record);
    this.#parents.place(record);
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
    if (event.type === 'identity') this.#parents.learn(record, call);
    if (record.call.agent !== call.agent) this.#isRenamed = true;
    if (record.traffic.firstInAt !== firstInAt) this.#parents.noteAnswer(record);
    // A late end may replace the status.
    if (record.until === until && until !== Infinity && record.status !== status)
      this.#parents.needsOrder = true;
    if (record.until === until) return;
    // An earlier end that arrives after a later one may invalidate what the later one decided.
    if (until === Infinity) this.#parents.end(record);
    else this.#parents.needsOrder = true;
  }
}

function compareTrees(a: TraceTree, b: TraceTree): number {
  const [first, second] = [a.roots[0], b.roots[0]];
  return first && second ? compareCalls(first, second) : 0;
}
