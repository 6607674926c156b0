import type { CallRecord } from './call-record.ts';
import { Siblings, compareCalls } from './siblings.ts';
import type { TraceTree } from './tree.ts';

/**
 * The calls of one trace. Its begin and end, and so its name and whether that is reused, depend on observed
 * calls only: the times of spans from elsewhere are not reliable.
 */
export class TraceGroup implements TraceTree {
  trace: string;
  #members: CallRecord[] = [];
  readonly #roots = new Siblings<CallRecord>();
  /** OpenStarry traces whose first call is in this trace. */
  #begun: Set<string> | undefined;
  /** The trace that absorbed this one. */
  into: TraceGroup | undefined;
  /** The latest time for which the end of the trace was requested. */
  askedAt = -Infinity;
  #first: CallRecord | undefined;
  /** When the last of its observed and ended calls ended. */
  #until: number | undefined;
  #open = 0;

  constructor(trace: string) {
    this.trace = trace;
  }

  get size(): number {
    return this.#members.length;
  }

  get members(): readonly CallRecord[] {
    return this.#members;
  }

  get roots(): readonly CallRecord[] {
    return this.#roots.all;
  }

  /** The end of the trace, as requested at a time; Infinity while a call is open, and if none was observed. */
  endAsOf(at: number): number {
    this.askedAt = Math.max(this.askedAt, at);
    return this.#open > 0 ? Infinity : (this.#until ?? Infinity);
  }

  add(record: CallRecord): void {
    // Most traces stay small; a list made by `push` would reserve space for more.
    if (this.#members.length === 0) this.#members = [record];
    else this.#members.push(record);
    record.group = this;
    if (!record.parent) this.#roots.add(record);
    if (!this.#first || compareFirsts(record, this.#first) < 0) this.#first = record;
    if (record.call.reported) return;
    if (record.until === Infinity) this.#open++;
    else this.#endAt(record.until);
  }

  /** Records that the first call of an OpenStarry trace is in this trace. */
  begin(trace: string): void {
    (this.#begun ??= new Set()).add(trace);
  }

  hasBegun(trace: string): boolean {
    return this.#begun?.has(trace) ?? false;
  }

  /** Records the end of a member. */
  end(record: CallRecord): void {
    if (record.call.reported) return;
    this.#open--;
    this.#endAt(record.until);
  }

  /** Removes a root that now has a caller. */
  dropRoot(record: CallRecord): void {
    this.#roots.delete(record);
  }

  /** Absorbs all calls of another trace. The merged trace has the name of the one that began first. */
  absorb(other: TraceGroup): void {
    if (this.#first && other.#first && compareFirsts(other.#first, this.#first) < 0) this.trace = other.trace;
    for (const record of other.members) this.add(record);
    for (const name of other.#begun ?? []) this.begin(name);
    this.askedAt = Math.max(this.askedAt, other.askedAt);
    other.into = this;
  }

  #endAt(time: number): void {
    this.#until = Math.max(this.#until ?? -Infinity, time);
  }
}

/** Observed calls before spans from elsewhere, then by their times. */
function compareFirsts(one: CallRecord, other: CallRecord): number {
  return (
    Number(one.call.reported ?? false) - Number(other.call.reported ?? false) || compareCalls(one, other)
  );
}
