import { quote } from '../../core/text/quote.ts';
import { CallNames } from './call-names.ts';
import type { CallRecord } from './call-record.ts';
import type { CallEvent } from '../../core/events/events.ts';
import { Measure, carriedDepth } from './measure.ts';
import { LISTENING } from '../../protocols/recognise/titles.ts';
import { findLoops } from './named-loops.ts';
import { compareCalls } from './siblings.ts';
import type { TraceGroup } from './trace-group.ts';
import { TraceGroups } from './trace-groups.ts';
import type { Parentage } from './tree.ts';

/** So many open calls are looked at for the caller of one: a hostile trace costs no more. */
const MOST_OPEN = 100;

/** So many calls below one are measured at once when it finds its place; more wait until all are measured. */
const MOST_BELOW = 32;

const LOOP = 'Its parents lead back to itself';

/**
 * Finds the trace and the parent of each call: by what it names, else by the depth that it carries, else by what is
 * observed, a call made by an agent while it serves another (trace identity, section 7). That is: the latest call that was open
 * when it began, to another agent, to the one that makes it where that is known, and that was not answered in full before
 * anything came back for this one. Who answers so does not wait for it: two calls that one client makes side by side look like
 * one below the other up to there. `placeAll` finds them for calls in
 * the order of their times, with all known that was told of them. `place` finds the same for one call more, in little work;
 * `needsOrder` says that something came too late for that to be certain.
 */
export class Placing {
  readonly #names: CallNames;
  readonly #groups: TraceGroups;
  readonly #measure = new Measure();
  /** Calls that may lead to others, by the time of their beginning; those that ended are left out now and then. */
  #open: CallRecord[] = [];
  #openLimit = 64;
  #latest: CallRecord | undefined;
  #looked = 0;
  needsOrder = false;

  /** `calls` are all calls by their ids; `moved` is told of each call that came to another trace. */
  constructor(calls: ReadonlyMap<string, CallRecord>, moved: (record: CallRecord) => void) {
    this.#names = new CallNames(calls);
    this.#groups = new TraceGroups(this.#names, moved);
  }

  /** All traces, in no order. */
  get groups(): ReadonlySet<TraceGroup> {
    return this.#groups.all;
  }

  /** How many calls were looked at. */
  get work(): number {
    return this.#looked + this.#groups.work + this.#measure.work;
  }

  /** Places a call that is new. */
  place(record: CallRecord): void {
    if (this.#latest && compareCalls(record, this.#latest) < 0) this.needsOrder = true;
    else this.#latest = record;
    if (this.#names.register(record)) this.needsOrder = true;
    this.#settle(record, this.#findNamed(record));
  }

  /** Places calls in the order of their times, all of them anew. */
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

  /** More was learned of a call. It stays where it is; where that may be wrong now, all are to be placed anew. */
  learn(record: CallRecord, was: CallEvent): void {
    const { agent, from, names = [] } = record.call;
    const says = names.some(name => name.parent !== undefined || name.depth !== undefined);
    const isNamed = agent !== was.agent || from !== was.from || listens(record.call) !== listens(was);
    const isOther = isNamed || says || record.parentage === 'inferred';
    const isAwaited = this.#names.register(record);
    const isNew = this.#names.isFirst(record) && this.#groups.isAlone(record, was);
    if (isOther || isAwaited || !isNew || !record.group) this.needsOrder = true;
    else this.#groups.register(record, record.group);
  }

  /** A call ended. */
  end(record: CallRecord): void {
    record.group?.end(record);
    this.hear(record);
    if (record.children.some(child => child.parentage === 'inferred' && !mayWaitFor(record, child)))
      this.needsOrder = true;
    const askedAt = Math.max(record.consideredAt ?? -Infinity, record.group?.askedAt ?? -Infinity);
    if (askedAt >= record.until) this.needsOrder = true;
  }

  /** The first of its answer came, or its end: it may be that a call waited for it that did not seem to. */
  hear(record: CallRecord): void {
    if (record.ruledOutUntil !== undefined && answeredAt(record) <= record.ruledOutUntil)
      this.needsOrder = true;
  }

  /** Forgets a trace. */
  forget(group: TraceGroup): void {
    this.#groups.forget(group);
    for (const record of group.members) this.#names.forget(record);
    this.#open = this.#open.filter(record => record.group !== group);
  }

  /**
   * Settles a call. One that was told of waits in `early` for its caller, where that began later by their clocks: it has no say
   * in what trace its caller belongs to.
   */
  #settleWithEarly(
    record: CallRecord,
    named: ReadonlyMap<CallRecord, CallRecord>,
    early: Map<CallRecord, CallRecord[]>,
  ): void {
    const ready = [record];
    for (let next = ready.pop(); next; next = ready.pop()) {
      const caller = named.get(next);
      if (caller && !caller.group && next.call.told) {
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
    // Of very many calls below it, all are measured once in the end: one by one, each would measure all below it again.
    if (!this.#measure.below(record, MOST_BELOW)) this.needsOrder = true;
    if (record.call.told || record.call.back) return;
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
    const heard = this.#names.findHeard(record);
    if (heard) return heard;
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
      // One that was seen in the same place is another call, which uses the name again.
      if (same && same.call.seen !== seen && isStillOpen(same, record)) return same;
    }
    return undefined;
  }

  /** The caller of a call that names none. */
  #observe(record: CallRecord, group: TraceGroup): Observed | undefined {
    const { call } = record;
    const depth = carriedDepth(record) ?? -1;
    const isSeen = call.seen === 'between' && !call.told && depth !== 0;
    if (call.back || (depth <= 0 && !isSeen)) return undefined;
    const { calls: open, isCut } = this.#listOpen(record);
    const inTrace = open.filter(caller => caller.group === group);
    const above = depth > 0 ? inTrace.filter(caller => caller.depth === depth - 1) : [];
    if (above.length > 0)
      return choose({ calls: above, isCut }, countChains(above) === 1 ? 'named' : 'inferred');
    if (!isSeen) return undefined;
    const near = inTrace.filter(caller => mayCall(caller, record));
    // What carries the name of a trace belongs to no other one; that of a task may stand in many.
    const isOwn = near.length > 0 || call.names?.some(({ scheme }) => scheme !== 'a2a');
    const calls = isOwn ? near : open.filter(caller => mayCall(caller, record));
    return chooseWaiting({ calls, isCut }, record);
  }

  /** Calls that were open when this one began, the latest first. */
  #listOpen(record: CallRecord): OpenCalls {
    const calls: CallRecord[] = [];
    for (let index = this.#open.length - 1; index >= 0; index--) {
      this.#looked++;
      const caller = this.#open[index];
      // Above a call whose clock ran ahead of its caller's may be the very call that a caller is looked for.
      if (!caller || caller.isAhead || !isStillOpen(caller, record)) continue;
      if (calls.length === MOST_OPEN) return { calls, isCut: true };
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

/** Calls that were open at a time, the latest first; `isCut` where there were more. */
interface OpenCalls {
  readonly calls: readonly CallRecord[];
  readonly isCut: boolean;
}

/** A caller that a call does not name. */
interface Observed {
  readonly parent: CallRecord;
  readonly parentage: Parentage;
  readonly note: string | undefined;
}

/** True where a call was open when another one began. It is kept that this was asked: an end that comes late may change it. */
function isStillOpen(caller: CallRecord, record: CallRecord): boolean {
  if (compareCalls(caller, record) >= 0) return false;
  caller.consideredAt = Math.max(caller.consideredAt ?? -Infinity, record.call.at);
  return caller.until > record.call.at;
}

/** True where one call may have been made while the other one was served. To listen asks for nothing that is served. */
function mayCall(caller: CallRecord, { call: { agent, from } }: CallRecord): boolean {
  if (caller.call.agent === agent || listens(caller.call)) return false;
  return from === undefined || from === caller.call.agent;
}

function listens({ protocol, title }: CallEvent): boolean {
  return protocol === 'mcp' && title === LISTENING;
}

/** The latest of the calls that may have led to one. */
function choose({ calls, isCut }: OpenCalls, parentage: Parentage): Observed | undefined {
  const [parent] = calls;
  if (!parent) return undefined;
  const count = countChains(calls);
  const note =
    count > 1
      ? `${isCut ? 'At least ' : ''}${count} calls were open when it began; the latest of them is taken for its caller`
      : undefined;
  return { parent, parentage, note };
}

/** The latest of them that may have waited for the call. How many were open says how sure that is. */
function chooseWaiting(open: OpenCalls, record: CallRecord): Observed | undefined {
  const parent = open.calls.find(caller => mayWaitFor(caller, record));
  const ruledOut = open.calls.filter(caller => !mayWaitFor(caller, record)).map(({ until }) => until);
  if (ruledOut.length > 0) record.ruledOutUntil = Math.max(...ruledOut);
  const note = choose(open, 'inferred')?.note;
  return parent && { parent, parentage: 'inferred', note };
}

/** False where a call was answered in full before anything came back for the other one. */
function mayWaitFor(caller: CallRecord, record: CallRecord): boolean {
  return caller.status !== 'ok' || answeredAt(record) <= caller.until;
}

/** When the first came back for a call, or its end. */
function answeredAt({ traffic: { firstInAt = Infinity }, until }: CallRecord): number {
  return Math.min(firstInAt, until);
}

/** How many of the calls are not themselves above another one of them. */
function countChains(calls: readonly CallRecord[]): number {
  const above = new Set(calls.map(call => call.parent));
  return calls.filter(call => !above.has(call)).length;
}
