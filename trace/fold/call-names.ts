import type { CallRecord } from './call-record.ts';
import { type TraceName, spanOf, toReportedId } from '../../core/events/events.ts';
import { compareCalls } from './siblings.ts';

/** Finds calls by their trace names and ids. */
export class CallNames {
  readonly #calls: ReadonlyMap<string, CallRecord>;
  readonly #callOf = new Map<string, CallRecord>();
  readonly #awaited = new Set<string>();

  /** `calls` has all calls by id, including unregistered ones. */
  constructor(calls: ReadonlyMap<string, CallRecord>) {
    this.#calls = calls;
  }

  /** An earlier call with the same name; undefined if there is none. */
  findSame(name: TraceName, record: CallRecord): CallRecord | undefined {
    if (name.id === undefined) return undefined;
    const found = [this.#findOwn(name, name.id), this.#callOf.get(keyOf(name, name.id))];
    return found.find(other => other && compareCalls(other, record) < 0);
  }

  /** The parent call that a name refers to. If it is missing, it is awaited. */
  findParent(name: TraceName): CallRecord | undefined {
    if (name.parent === undefined) return undefined;
    const own = this.#findOwn(name, name.parent);
    if (!own || own.call.reported) this.#awaited.add(name.parent);
    return own ?? this.#callOf.get(keyOf(name, name.parent));
  }

  /** The call that another one names as its parent. If it is missing, it is awaited. */
  findId(id: string, { call: { reported, trace } }: CallRecord): CallRecord | undefined {
    const observed = this.#calls.get(id);
    // A span from elsewhere can refer only to calls of its own trace.
    if (observed && (!reported || observed.call.trace === trace)) return observed;
    this.#awaited.add(id);
    const found = this.#calls.get(toReportedId(id));
    return !reported || found?.call.trace === trace ? found : undefined;
  }

  /** The observed call that a span from elsewhere describes. If it is missing, it is awaited. */
  findObserved({ call: { call, reported, trace } }: CallRecord): CallRecord | undefined {
    const id = spanOf(call);
    if (!reported || id === call) return undefined;
    const observed = this.#calls.get(id);
    if (!observed) this.#awaited.add(id);
    return observed?.call.trace === trace ? observed : undefined;
  }

  /** Registers the names of a call. Returns whether it was awaited. */
  register(record: CallRecord): boolean {
    let isAwaited = this.#awaited.has(spanOf(record.call.call));
    for (const name of record.call.names ?? []) {
      if (name.id === undefined) continue;
      const key = keyOf(name, name.id);
      if (!this.#callOf.has(key)) this.#callOf.set(key, record);
      isAwaited ||= this.#awaited.has(name.id);
    }
    return isAwaited;
  }

  /** True if no registered call has one of its names. */
  isFirst(record: CallRecord): boolean {
    const names = record.call.names ?? [];
    return names.every(name => name.id === undefined || this.#callOf.get(keyOf(name, name.id)) === record);
  }

  forget(record: CallRecord): void {
    for (const name of record.call.names ?? []) {
      const key = name.id === undefined ? undefined : keyOf(name, name.id);
      if (key !== undefined && this.#callOf.get(key) === record) this.#callOf.delete(key);
    }
  }

  /** The call whose own id is that of a W3C span; an observed call takes precedence over a span from elsewhere. */
  #findOwn({ scheme, trace }: TraceName, id: string): CallRecord | undefined {
    if (scheme !== 'w3c') return undefined;
    const found = this.#calls.get(id) ?? this.#calls.get(toReportedId(id));
    return found?.call.trace === trace ? found : undefined;
  }
}

function keyOf({ scheme, trace }: TraceName, id: string): string {
  return `${scheme}\n${trace}\n${id}`;
}
