import type { CallRecord } from './call-record.ts';
import type { TraceName } from '../../core/events/events.ts';
import { spanOf, toToldId } from '../../core/events/told-id.ts';
import { compareCalls } from './siblings.ts';

/** The calls by the names that they carry, and by their ids. */
export class CallNames {
  readonly #calls: ReadonlyMap<string, CallRecord>;
  readonly #callOf = new Map<string, CallRecord>();
  readonly #awaited = new Set<string>();

  /** `calls` are all calls by their ids, also those that were not registered yet. */
  constructor(calls: ReadonlyMap<string, CallRecord>) {
    this.#calls = calls;
  }

  /** An earlier call of the name that a call carries; undefined where it is the first. */
  findSame(name: TraceName, record: CallRecord): CallRecord | undefined {
    if (name.id === undefined) return undefined;
    const found = [this.#findOwn(name, name.id), this.#callOf.get(keyOf(name, name.id))];
    return found.find(other => other && compareCalls(other, record) < 0);
  }

  /** The call that a name says led to the one that carries it. Where it is not there, it is waited for. */
  findParent(name: TraceName): CallRecord | undefined {
    if (name.parent === undefined) return undefined;
    const own = this.#findOwn(name, name.parent);
    if (!own || own.call.told) this.#awaited.add(name.parent);
    return own ?? this.#callOf.get(keyOf(name, name.parent));
  }

  /** The call that another one names as its parent. Where it is not there, it is waited for. */
  findId(id: string, { call: { told, trace } }: CallRecord): CallRecord | undefined {
    const heard = this.#calls.get(id);
    // Whoever tells of a call knows its own trace alone.
    if (heard && (!told || heard.call.trace === trace)) return heard;
    this.#awaited.add(id);
    const found = this.#calls.get(toToldId(id));
    return !told || found?.call.trace === trace ? found : undefined;
  }

  /** The call that was heard, where another one tells of the same. Where it is not there, it is waited for. */
  findHeard({ call: { call, told, trace } }: CallRecord): CallRecord | undefined {
    const id = spanOf(call);
    if (!told || id === call) return undefined;
    const heard = this.#calls.get(id);
    if (!heard) this.#awaited.add(id);
    return heard?.call.trace === trace ? heard : undefined;
  }

  /** Lets a call be found by its names. Answers whether it was waited for. */
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

  /** True where no call that was registered before has one of its names. */
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

  /** The call whose own id is that of a W3C span: the one that was heard before one that was told of. */
  #findOwn({ scheme, trace }: TraceName, id: string): CallRecord | undefined {
    if (scheme !== 'w3c') return undefined;
    const found = this.#calls.get(id) ?? this.#calls.get(toToldId(id));
    return found?.call.trace === trace ? found : undefined;
  }
}

function keyOf({ scheme, trace }: TraceName, id: string): string {
  return `${scheme}\n${trace}\n${id}`;
}
