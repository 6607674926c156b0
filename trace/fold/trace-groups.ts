import type { CallNames } from './call-names.ts';
import type { CallRecord } from './call-record.ts';
import type { TraceScheme } from '../../core/catalog/trace-names.ts';
import type { CallEvent, TraceName } from '../../core/events/events.ts';
import { TraceGroup } from './trace-group.ts';

/** A name is used again when its trace ended longer ago than this, in milliseconds (trace identity, section 7). */
const NAME_LASTS = 10 * 60 * 1000;

/** The traces, by the names that calls carry for them. */
export class TraceGroups {
  readonly all = new Set<TraceGroup>();
  readonly #calls: CallNames;
  readonly #moved: (record: CallRecord) => void;
  readonly #groupOf = new Map<TraceScheme, Map<string, TraceGroup>>();
  /** The names that traces were given, and how often each was asked for. */
  readonly #given = new Map<string, number>();
  /** How many calls went from one trace to another. */
  work = 0;

  constructor(calls: CallNames, moved: (record: CallRecord) => void) {
    this.#calls = calls;
    this.#moved = moved;
  }

  /** Puts a call into the trace of all names that it carries, of its caller where that is named, and of its children. */
  place(record: CallRecord, named: CallRecord | undefined): TraceGroup {
    let group = this.join(record.group, named?.group);
    for (const child of record.children) group = this.join(group, child.group);
    for (const name of record.names) {
      const other = this.#find(name);
      // What was told of a call stands with it, whoever used the name since, and makes no other trace one with it.
      if (named && record.call.told) break;
      if (other && other !== group && !named && this.#isUsedAgain(record, name, other))
        record.remark('Its trace id was used before; this is another trace: id used again');
      else group = this.join(group, other);
    }
    group ??= this.#begin(record.call.trace);
    if (record.group !== group) group.add(record);
    this.register(record, group);
    for (const name of record.names)
      if (name.scheme === 'openstarry' && name.depth === 0 && !named) group.begin(name.trace);
    return group;
  }

  /** Lets a trace be found by the names of one of its calls. */
  register(record: CallRecord, group: TraceGroup): void {
    for (const name of record.names) {
      if (record.call.told && this.#find(name)) continue;
      const { scheme, trace } = name;
      const known = this.#groupOf.get(scheme);
      if (known) known.set(trace, group);
      else this.#groupOf.set(scheme, new Map([[trace, group]]));
    }
  }

  /** True where nobody carries a trace's name that a call carries now and did not before. */
  isAlone({ call: { names = [] } }: CallRecord, was: CallEvent): boolean {
    const isOld = ({ scheme, trace }: TraceName): boolean =>
      was.names?.some(name => name.scheme === scheme && name.trace === trace) ?? false;
    return names.every(name => isOld(name) || this.#find(name) === undefined);
  }

  /** Makes one trace of two. */
  join(one: TraceGroup | undefined, other: TraceGroup | undefined): TraceGroup | undefined {
    if (!one || !other || one === other) return one ?? other;
    const [kept, gone] = one.size >= other.size ? [one, other] : [other, one];
    this.work += gone.size;
    for (const record of gone.members) this.#moved(record);
    kept.absorb(gone);
    this.all.delete(gone);
    return kept;
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

  /** A name of a trace that no other one has. */
  #newName(name: string): string {
    let count = (this.#given.get(name) ?? 0) + 1;
    this.#given.set(name, count);
    if (count === 1) return name;
    while (this.#given.has(`${name}/${count}`)) count++;
    this.#given.set(name, count);
    this.#given.set(`${name}/${count}`, 1);
    return `${name}/${count}`;
  }

  /** True for a name that comes with a second root, or long after its trace ended. */
  #isUsedAgain(record: CallRecord, name: TraceName, group: TraceGroup): boolean {
    if (record.call.told) return false;
    if (record.call.at - group.untilAsked(record.call.at) > NAME_LASTS) return true;
    if (name.scheme === 'openstarry') return name.depth === 0 && group.hasBegun(name.trace);
    return this.#calls.findSame(name, record) !== undefined;
  }
}
