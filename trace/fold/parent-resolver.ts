import { quote } from '../../core/text/quote.ts';
import { CallNames } from './call-names.ts';
import type { CallRecord } from './call-record.ts';
import type { CallEvent } from '../../core/events/events.ts';
import { Measure, carriedDepth } from './measure.ts';
import { MANY_TRACES } from '../../core/catalog/trace-names.ts';
import { isListening } from '../../core/catalog/protocols.ts';
import { findLoops } from './named-loops.ts';
import { compareCalls } from './siblings.ts';
import type { TraceGroup } from './trace-group.ts';
import { TraceGroups } from './trace-groups.ts';
import type { Parentage } from './tree.ts';

/** The maximum number of open calls examined as callers of one, which limits the cost of hostile traces. */
const MAX_OPEN = 100;

/** The maximum number of descendants measured at once when a call is placed; more wait until all are measured. */
const MAX_BELOW = 32;

const LOOP = 'Its parents form a cycle';

/**
 * Finds the trace and the parent of each call: by the names in it, else by its depth, else by observation of
 * a call that an agent makes while it serves another one (trace identity, section 7). The observed parent is
 * the latest of the calls that were open when this one began, went to another agent (to this one's caller, if
 * that is known), and were not answered in full before the first reply to this one. A call that was answered
 * earlier did not wait for this one: that excludes two parallel calls of one client, which otherwise look
 * nested. `placeAll` places all calls in the order of their times, with all that is known. `place` adds one
 * call at little cost; `needsOrder` is set if late information makes its result uncertain.
 */
export class ParentResolver {
  readonly #names: CallNames;
  readonly #groups: TraceGroups;
  readonly #measure = new Measure();
  /** Calls that may be callers of others, by the time of their beginning; ended ones are removed from time to time. */
  #open: CallRecord[] = [];
  #openLimit = 64;
  #latest: CallRecord | undefined;
  #looked = 0;
  needsOrder = false;

  /** `calls` has all calls by id; `moved` is called with each call that moves to another trace. */
  constructor(calls: ReadonlyMap<string, CallRecord>, moved: (record: CallRecord) => void) {
    this.#names = new CallNames(calls);
    this.#groups = new TraceGroups(this.#names, moved);
  }

  /** All traces, in no order. */
  get groups(): ReadonlySet<TraceGroup> {
    return this.#groups.all;
  }

  /** The number of calls examined. */
  get work(): number {
    return this.#looked + this.#groups.work + this.#measure.work;
  }

  /** Places a new call. */
  place(record: CallRecord): void {
    if (this.#latest && compareCalls(record, this.#latest) < 0) this.needsOrder = true;
    else this.#latest = record;
    if (this.#names.register(record)) this.needsOrder = true;
    this.#settle(record, this.#findNamed(record));
  }

  /** Places all calls again, in the order of their times. */
  placeAll(records: readonly CallRecord[]): void {
    for (const record of records) record.uproot();
    for (const record of records) this.#names.register(record);
    const named = new Map<CallRecord, CallRecord>();
    for (const record of records) {
      const caller = this.#findNamed(record);
      if (caller) named.set(record, caller);
    }
    for (const first of findLoops(records, named)) {
      named.delete(first);
      first.remark(LOOP);
    }
    this.#looked += records.length;
    const early = new Map<CallRecord, CallRecord[]>();
    for (const record of records) {
      this.#latest = record;
      this.#settleWithEarly(record, named, early);
    }
    for (const group of this.#groups.all) for (const root of group.roots) this.#measure.below(root);
  }

  /** Takes more information on a call. Its position stays; if it may be wrong now, `needsOrder` is set. */
  learn(record: CallRecord, was: CallEvent): void {
    const { agent, from, names = [] } = record.call;
    const says = names.some(name => name.parent !== undefined || name.depth !== undefined);
    const isNamed = agent !== was.agent || from !== was.from || isListening(record.call) !== isListening(was);
    const isOther = isNamed || says || record.parentage === 'inferred';
    const isAwaited = this.#names.register(record);
    const isNew = this.#names.isFirst(record) && this.#groups.isAlone(record, was);
    if (isOther || isAwaited || !isNew || !record.group) this.needsOrder = true;
    else this.#groups.register(record, record.group);
  }

  /** Takes the end of a call. */
  end(record: CallRecord): void {
    record.group?.end(record);
    this.noteAnswer(record);
    if (record.children.some(child => child.parentage === 'inferred' && !mayWaitFor(record, child)))
      this.needsOrder = true;
    const askedAt = Math.max(record.consideredAt ?? -Infinity, record.group?.askedAt ?? -Infinity);
    if (askedAt >= record.until) this.needsOrder = true;
  }

  /** Takes the first reply to a call: a caller that was ruled out may have waited for it after all. */
  noteAnswer(record: CallRecord): void {
    if (record.ruledOutUntil !== undefined && answeredAt(record) <= record.ruledOutUntil)
      this.needsOrder = true;
  }

  /** Removes a trace. */
  forget(group: TraceGroup): void {
    this.#groups.forget(group);
    for (const record of group.members) this.#names.forget(record);
    this.#open = this.#open.filter(record => record.group !== group);
  }

  /**
   * Settles a call. A span from elsewhere whose caller began later, by their clocks, waits in `early` for it,
   * because it must not affect the trace of its caller.
   */
  #settleWithEarly(
    record: CallRecord,
    named: ReadonlyMap<CallRecord, CallRecord>,
    early: Map<CallRecord, CallRecord[]>,
  ): void {
    const ready = [record];
    for (let next = ready.pop(); next; next = ready.pop()) {
      const caller = named.get(next);
      if (caller && !caller.group && next.call.reported) {
        next.isAhead = true;
        const waiting = early.get(caller);
        if (waiting) waiting.push(next);
        else early.set(caller, [next]);
        continue;
      }
      this.#settle(next, caller);
      for (const each of early.get(next) ?? []) ready.push(each);
    }
  }

  #settle(record: CallRecord, named: CallRecord | undefined): void {
    const group = this.#groups.place(record, named);
    const observed = named ? undefined : this.#observe(record, group);
    if (named) this.#attach(record, named, 'named');
    else if (observed) this.#attach(record, observed.parent, observed.parentage);
    if (observed?.note !== undefined) record.remark(observed.note);
    const { parent } = record;
    record.isAhead = parent !== undefined && (parent.isAhead || compareCalls(record, parent) < 0);
    // With very many descendants, all are measured once at the end; measuring each time would be quadratic.
    if (!this.#measure.below(record, MAX_BELOW)) this.needsOrder = true;
    if (record.call.reported || record.call.back) return;
    this.#open.push(record);
    if (this.#open.length > this.#openLimit) this.#dropEnded();
  }

  #attach(record: CallRecord, parent: CallRecord, parentage: Parentage): void {
    record.group?.dropRoot(record);
    record.parent = parent;
    record.parentage = parentage;
    parent.adopt(record);
    this.#groups.join(record.group, parent.group);
  }

  #findNamed(record: CallRecord): CallRecord | undefined {
    const { parent, names = [], seen } = record.call;
    const observed = this.#names.findObserved(record);
    if (observed) return observed;
    if (parent !== undefined) {
      const found = this.#names.findId(parent, record);
      if (found === record) record.remark(LOOP);
      else if (!found) record.remark(`Its parent ${quote(parent)} is not in the trace`);
      return found === record ? undefined : found;
    }
    for (const name of names) {
      const caller = this.#names.findParent(name);
      if (caller && caller !== record) return caller;
      const same = seen && this.#names.findSame(name, record);
      // A call observed at the same place is another call, which reuses the name.
      if (same && same.call.seen !== seen && isStillOpen(same, record)) return same;
    }
    return undefined;
  }

  /** The caller of a call that names none. */
  #observe(record: CallRecord, group: TraceGroup): Observed | undefined {
    const { call } = record;
    const depth = carriedDepth(record) ?? -1;
    const isSeen = call.seen === 'between' && !call.reported && depth !== 0;
    if (call.back || (depth <= 0 && !isSeen)) return undefined;
    const { calls: open, isCut } = this.#listOpen(record);
    const inTrace = open.filter(caller => caller.group === group);
    const above = depth > 0 ? inTrace.filter(caller => caller.depth === depth - 1) : [];
    if (above.length > 0)
      return choose({ calls: above, isCut }, countChains(above) === 1 ? 'named' : 'inferred');
    if (!isSeen) return undefined;
    const near = inTrace.filter(caller => mayCall(caller, record));
    // A call with a trace's own name belongs to no other trace; the name of a task may occur in several.
    const isOwn = near.length > 0 || call.names?.some(({ scheme }) => !MANY_TRACES.has(scheme));
    const calls = isOwn ? near : open.filter(caller => mayCall(caller, record));
    return chooseWaiting({ calls, isCut }, record);
  }

  /** Calls that were open when this one began, the latest first. */
  #listOpen(record: CallRecord): OpenCalls {
    const calls: CallRecord[] = [];
    for (let index = this.#open.length - 1; index >= 0; index--) {
      this.#looked++;
      const caller = this.#open[index];
      // A call that began before its caller, by their clocks, may be a descendant of this very call.
      if (!caller || caller.isAhead || !isStillOpen(caller, record)) continue;
      if (calls.length === MAX_OPEN) return { calls, isCut: true };
      calls.push(caller);
    }
    return { calls, isCut: false };
  }

  #dropEnded(): void {
    const now = this.#latest?.call.at ?? -Infinity;
    this.#looked += this.#open.length;
    this.#open = this.#open.filter(record => record.until > now);
    this.#openLimit = Math.max(64, this.#open.length * 2);
  }
}

/** Calls that were open at a time, the latest first; `isCut` if there were more. */
interface OpenCalls {
  readonly calls: readonly CallRecord[];
  readonly isCut: boolean;
}

/** The caller of a call that does not name it. */
interface Observed {
  readonly parent: CallRecord;
  readonly parentage: Parentage;
  readonly note: string | undefined;
}

/** True if a call was open when another one began. Records the question, because a late end may change the answer. */
function isStillOpen(caller: CallRecord, record: CallRecord): boolean {
  if (compareCalls(caller, record) >= 0) return false;
  caller.consideredAt = Math.max(caller.consideredAt ?? -Infinity, record.call.at);
  return caller.until > record.call.at;
}

/** True if one call may have been made while the other was served. A listening request serves nothing. */
function mayCall(caller: CallRecord, { call: { agent, from } }: CallRecord): boolean {
  if (caller.call.agent === agent || isListening(caller.call)) return false;
  return from === undefined || from === caller.call.agent;
}

/** The latest of the possible callers. */
function choose({ calls, isCut }: OpenCalls, parentage: Parentage): Observed | undefined {
  const [parent] = calls;
  if (!parent) return undefined;
  const count = countChains(calls);
  const note =
    count > 1
      ? `${isCut ? 'At least ' : ''}${count} calls were open when it began; the latest of them is assumed to be its caller`
      : undefined;
  return { parent, parentage, note };
}

/** The latest possible caller that may have waited for the call. The note depends on the number of open calls. */
function chooseWaiting(open: OpenCalls, record: CallRecord): Observed | undefined {
  const parent = open.calls.find(caller => mayWaitFor(caller, record));
  const ruledOut = open.calls.filter(caller => !mayWaitFor(caller, record)).map(({ until }) => until);
  if (ruledOut.length > 0) record.ruledOutUntil = Math.max(...ruledOut);
  const note = choose(open, 'inferred')?.note;
  return parent && { parent, parentage: 'inferred', note };
}

/** False if a call was answered in full before the first reply to the other one. */
function mayWaitFor(caller: CallRecord, record: CallRecord): boolean {
  return caller.status !== 'ok' || answeredAt(record) <= caller.until;
}

/** When the first reply to a call arrived, or its end. */
function answeredAt({ traffic: { firstInAt = Infinity }, until }: CallRecord): number {
  return Math.min(firstInAt, until);
}

/** The number of calls that are not the parent of another one of them. */
function countChains(calls: readonly CallRecord[]): number {
  const above = new Set(calls.map(call => call.parent));
  return calls.filter(call => !above.has(call)).length;
}
