import type { CallRecord } from './call-record.ts';
import { Siblings, compareCalls } from './siblings.ts';
import type { TraceTree } from './tree.ts';

/**
 * The calls of one trace. When it began and ended, and so what its name is and when that is used again, is told by what was heard
 * of it: whoever tells of a call may tell any time.
 */
export class TraceGroup implements TraceTree {
  trace: string;
  #members: CallRecord[] = [];
  readonly #roots = new Siblings<CallRecord>();
  /** OpenStarry traces whose first call is here. */
  #begun: Set<string> | undefined;
  /** The trace that took in its calls. */
  into: TraceGroup | undefined;
  /** When somebody asked last whether it had ended. */
  askedAt = -Infinity;
  #first: CallRecord | undefined;
  /** When the last call ended of those that were heard and did. */
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

  /** When the trace ended, asked at a time; Infinity while one of its calls is open, and where none was heard. */
  untilAsked(at: number): number {
    this.askedAt = Math.max(this.askedAt, at);
    return this.#open > 0 ? Infinity : (this.#until ?? Infinity);
  }

  add(record: CallRecord): void {
    // Most traces stay small: a list that is pushed to has room for many.
    if (this.#members.length === 0) this.#members = [record];
    else this.#members.push(record);
    record.group = this;
    if (!record.parent) this.#roots.add(record);
    if (!this.#first || compareFirsts(record, this.#first) < 0) this.#first = record;
    if (record.call.told) return;
    if (record.until === Infinity) this.#open++;
    else this.#endAt(record.until);
  }

  /** The first call of an OpenStarry trace is here. */
  begin(trace: string): void {
    (this.#begun ??= new Set()).add(trace);
  }

  hasBegun(trace: string): boolean {
    return this.#begun?.has(trace) ?? false;
  }

  /** A member ended. */
  end(record: CallRecord): void {
    if (record.call.told) return;
    this.#open--;
    this.#endAt(record.until);
  }

  /** A member has a caller now. */
  dropRoot(record: CallRecord): void {
    this.#roots.delete(record);
  }

  /** Takes all calls of another trace. The trace keeps the name of the one that began first. */
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

/** What was heard comes before what was told of, then by their times. */
function compareFirsts(one: CallRecord, other: CallRecord): number {
  return Number(one.call.told ?? false) - Number(other.call.told ?? false) || compareCalls(one, other);
}
