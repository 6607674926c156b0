import type { CallNames } from './call-names.ts';
import type { CallRecord } from './call-record.ts';
import { CHAIN_SCHEME, isOfTask, type TraceScheme } from '../../core/catalog/trace-names.ts';
import type { CallEvent, TraceName } from '../../core/events/events.ts';
import { TraceGroup } from './trace-group.ts';

/**
 * The time in milliseconds after the end of a trace from which its name counts as reused (trace identity,
 * section 7).
 */
const NAME_LASTS = 10 * 60 * 1000;

/** The traces, by the trace names in their calls. */
export class TraceGroups {
  readonly all = new Set<TraceGroup>();
  readonly #calls: CallNames;
  readonly #moved: (record: CallRecord) => void;
  readonly #groupOf = new Map<TraceScheme, Map<string, TraceGroup>>();
  /** The names given to traces, each with the number of times it was requested. */
  readonly #given = new Map<string, number>();
  /** The number of calls that moved from one trace to another. */
  work = 0;

  constructor(calls: CallNames, moved: (record: CallRecord) => void) {
    this.#calls = calls;
    this.#moved = moved;
  }

  /** Puts a call into the trace of all its names, of its named caller, and of its children. */
  place(record: CallRecord, named: CallRecord | undefined): TraceGroup {
    let group = this.join(record.group, named?.group);
    for (const child of record.children) group = this.join(group, child.group);
    for (const name of record.names) {
      const other = this.#find(name);
      // A span from elsewhere stays with its caller, even if others use its name, and merges no other trace into it.
      if (named && record.call.reported) break;
      if (other && other !== group && !named && this.#isUsedAgain(record, name, other))
        record.remark('Its trace id was used before; this is another trace: id used again');
      else group = this.join(group, other);
    }
    group ??= this.#begin(record.call.trace);
    if (record.group !== group) group.add(record);
    this.register(record, group);
    for (const name of record.names)
      if (name.scheme === CHAIN_SCHEME && name.depth === 0 && !named) group.begin(name.trace);
    return group;
  }

  /** Registers a trace under the names of one of its calls. */
  register(record: CallRecord, group: TraceGroup): void {
    for (const name of record.names) {
      if (record.call.reported && this.#find(name)) continue;
      const { scheme, trace } = name;
      const known = this.#groupOf.get(scheme);
      if (known) known.set(trace, group);
      else this.#groupOf.set(scheme, new Map([[trace, group]]));
    }
  }

  /** True if no trace has one of the names that a call got since `was`. */
  isAlone({ call: { names = [] } }: CallRecord, was: CallEvent): boolean {
    const isOld = ({ scheme, trace }: TraceName): boolean =>
      was.names?.some(name => name.scheme === scheme && name.trace === trace) ?? false;
    return names.every(name => isOld(name) || this.#find(name) === undefined);
  }

  /** Merges two traces. */
  join(one: TraceGroup | undefined, other: TraceGroup | undefined): TraceGroup | undefined {
    if (!one || !other || one === other) return one ?? other;
    const [stored, gone] = one.size >= other.size ? [one, other] : [other, one];
    this.work += gone.size;
    for (const record of gone.members) this.#moved(record);
    stored.absorb(gone);
    this.all.delete(gone);
    return stored;
  }

  forget(group: TraceGroup): void {
    this.all.delete(group);
    this.#given.delete(group.trace);
    for (const record of group.members)
      for (const name of record.names)
        if (this.#find(name) === group) this.#groupOf.get(name.scheme)?.delete(name.trace);
  }

  #find(name: TraceName): TraceGroup | undefined {
    let group = this.#groupOf.get(name.scheme)?.get(name.trace);
    while (group?.into) {
      group.into = group.into.into ?? group.into;
      group = group.into;
    }
    return group;
  }

  #begin(name: string): TraceGroup {
    const group = new TraceGroup(this.#newName(name));
    this.all.add(group);
    return group;
  }

  /** A trace name that no other trace has. */
  #newName(name: string): string {
    let count = (this.#given.get(name) ?? 0) + 1;
    this.#given.set(name, count);
    if (count === 1) return name;
    while (this.#given.has(`${name}/${count}`)) count++;
    this.#given.set(name, count);
    this.#given.set(`${name}/${count}`, 1);
    return `${name}/${count}`;
  }

  /** True for a name of a second root, or one that occurs long after its trace ended. */
  #isUsedAgain(record: CallRecord, name: TraceName, group: TraceGroup): boolean {
    if (record.call.reported) return false;
    // A task may wait for its user for days.
    if (!isOfTask(name.scheme, name.trace) && record.call.at - group.endAsOf(record.call.at) > NAME_LASTS)
      return true;
    if (name.scheme === CHAIN_SCHEME) return name.depth === 0 && group.hasBegun(name.trace);
    return this.#calls.findSame(name, record) !== undefined;
  }
}
