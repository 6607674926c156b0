import { compareDetails } from '../../../core/events/in-order.ts';
import type { HeadEvent, TraceEvent, WireEvent } from '../../../core/events/events.ts';
import { TraceFold } from '../../../trace/fold/fold.ts';
import {
  withoutPayload,
  type SkeletonEvent,
  type PayloadPiece,
  storedLength,
} from '../../../core/events/payload.ts';
import { PayloadCheck, WHY_LOST } from '../../../trace/payload-check.ts';
import { fitPayload, type PayloadLimiter } from '../../../trace/payload-limiter.ts';
import type { CallNode, TraceTree } from '../../../trace/fold/tree.ts';
import type { TraceKeeper } from './trace-keeper.ts';
import { Changing } from '../base/changing.ts';

/** The maximum number of traces in memory; the oldest are removed first. */
const MAX_TRACES = 500;

/**
 * The maximum number of payload characters in memory, in all traces together. The newest trace stays whatever
 * its size.
 */
const MAX_CHARACTERS = 256 * 1024 * 1024;

/**
 * If there are more characters, the oldest ended calls are read from disk when needed, provided they are
 * stored there.
 */
const MAX_IN_MEMORY = 64 * 1024 * 1024;

/** A call with more characters is read from disk when needed, provided it is stored there. */
const MAX_OF_CALL = 16 * 1024 * 1024;

/** The memory of an event besides its text, in characters, so that many small calls count like a long one. */
const BESIDE_TEXT = 200;

const GONE_FROM_DISK =
  'The payloads are not on disk: newer traces replaced them (parley.trace.keepMegabytes is the limit), or they could not be written';

const CUT_ON_DISK = `Not all payloads can be read any more: ${WHY_LOST}`;

/**
 * A change: an added event, and dropped traces. Without an event, traces were deleted, cleared or loaded from
 * earlier windows, or the notes changed.
 */
export interface TraceChange {
  readonly added: { readonly trace: string; readonly event: TraceEvent } | undefined;
  /** The names of traces that are no longer stored, including all names that their calls used. */
  readonly dropped: readonly string[];
}

interface StoredCall {
  /** The events in order of arrival; empty if the payload is only on disk. */
  events: TraceEvent[];
  characters: number;
  isInMemory: boolean;
}

/**
 * Stores the traces of this window: all events, and the trees built from them. The calls of all sources are
 * in one fold, so that calls observed by one recorder and reported by another form one tree. If there is a
 * keeper, it stores everything on disk, and traces of earlier windows are loaded on demand.
 */
export class TraceStore extends Changing<TraceChange> {
  readonly #fold = new TraceFold();
  /** The oldest first. */
  #calls = new Map<string, StoredCall>();
  /** Calls whose payload is completely in memory; the oldest first. */
  readonly #inMemory = new Set<string>();
  #dropped: string[] = [];
  #characters = 0;
  readonly #findPinned: (traces: TraceStore) => ReadonlySet<string>;
  readonly #keeper: TraceKeeper | undefined;
  #loading: Promise<void> | undefined;

  /** `findPinned` returns the names of the traces that are never removed. */
  constructor(
    findPinned: (traces: TraceStore) => ReadonlySet<string> = () => new Set(),
    keeper?: TraceKeeper,
  ) {
    super();
    this.#findPinned = findPinned;
    this.#keeper = keeper;
    keeper?.onNote(() => this.changed.fire({ added: undefined, dropped: [] }));
  }

  /** Errors of storing traces on disk. */
  get notes(): readonly string[] {
    return this.#keeper?.notes ?? [];
  }

  /** Loads the traces of earlier windows, once. Their payloads are not loaded into memory. */
  load(): Promise<void> {
    this.#loading ??= this.#keeper ? this.#load(this.#keeper) : Promise.resolve();
    return this.#loading;
  }

  /** Adds an event to its trace. An event of a call that was cleared meanwhile is dropped. */
  add(event: TraceEvent): void {
    const stored = this.#calls.get(event.call) ?? { events: [], characters: 0, isInMemory: true };
    if (event.type === 'call') {
      if (!this.#calls.has(event.call)) this.#inMemory.add(event.call);
      this.#calls.set(event.call, stored);
    } else if (!this.#calls.has(event.call)) return;
    this.#keeper?.write(event);
    this.#keep(stored, event);
    const trace = this.#fold.treeOf(event.call)?.trace ?? '';
    this.changed.fire({ added: { trace, event }, dropped: this.#dropOldest() });
  }

  /** Deletes all traces that are not pinned, in memory and on disk, also those of earlier windows. */
  clear(): void {
    const pinned = this.#findPinned(this);
    const dropped = new Set<string>();
    for (const tree of this.#fold.trees()) if (!pinned.has(tree.trace)) this.#drop(tree, dropped);
    void this.#keeper?.clear(new Set(this.#calls.keys()));
    this.changed.fire({ added: undefined, dropped: [...dropped] });
  }

  /** Deletes the trace of a call, in memory and on disk. */
  delete(call: string): void {
    const tree = this.#fold.treeOf(call);
    if (!tree) return;
    const dropped = new Set<string>();
    this.#keeper?.forget(this.#drop(tree, dropped));
    this.changed.fire({ added: undefined, dropped: [...dropped] });
  }

  /** The trees of all traces, the newest first. */
  trees(): readonly TraceTree[] {
    return this.#fold.trees().toReversed();
  }

  /** The trace of a call; undefined if it is not stored. */
  treeOf(call: string): TraceTree | undefined {
    return this.#fold.treeOf(call);
  }

  /** A call with its payload and its notes in order of arrival; for a call on disk, the notes are last. */
  async eventsOf(call: string): Promise<readonly TraceEvent[]> {
    const payload = await this.payload(call);
    const node = this.#fold.find(call);
    if (!node) return [];
    const stored = this.#calls.get(call);
    if (stored?.isInMemory) {
      const notes = stored.events.filter(event => event.type === 'note');
      return [node.call, ...[...payload, ...notes].sort(compareDetails)];
    }
    const { lastAt: at } = node.traffic;
    return [node.call, ...payload, ...node.notes.map(text => ({ type: 'note', call, at, text }) as const)];
  }

  /** The payload of a call in order, up to the limit of `limiter`. */
  async payload(call: string, limiter?: PayloadLimiter): Promise<readonly (HeadEvent | WireEvent)[]> {
    const stored = this.#calls.get(call);
    if (!stored || !this.#keeper) return fitPayload(listPayload(stored), limiter);
    if (stored.isInMemory) return this.#keeper.unpack(listPayload(stored), limiter);
    const before = this.#fold.find(call);
    const check = before && new PayloadCheck(before.traffic);
    const payload = await this.#keeper.payload(call, limiter);
    const node = this.#fold.find(call);
    if (!node) return [];
    check?.take(payload);
    if (check?.isWhole === false && limiter?.isSpent !== true) {
      const text = payload.length === 0 ? GONE_FROM_DISK : CUT_ON_DISK;
      this.#fold.add({ type: 'note', call, at: node.traffic.lastAt, text });
      this.changed.fire({ added: undefined, dropped: [] });
    }
    return payload;
  }

  /** The payloads of calls, those in memory first. */
  async *payloads(calls: readonly string[]): AsyncGenerator<PayloadPiece, void> {
    const onDisk: string[] = [];
    for (const call of calls) {
      const stored = this.#calls.get(call);
      if (stored?.isInMemory === false && this.#keeper) onDisk.push(call);
      else yield { call, events: await this.payload(call), isLast: true };
    }
    if (this.#keeper && onDisk.length > 0) yield* this.#keeper.payloads(onDisk);
  }

  /** A call with its trace; undefined if it is not stored. */
  findCall(call: string): { readonly trace: string; readonly node: CallNode } | undefined {
    const node = this.#fold.find(call);
    const tree = this.#fold.treeOf(call);
    return node && tree && { trace: tree.trace, node };
  }

  /** Sorts calls by time if some arrived out of order. Cost: O(all calls) in that case, else none. */
  settle(): void {
    this.#fold.settle();
  }

  /** The changed calls and the ids of removed ones since the last call. There can be only one consumer. */
  takeChanges(): { readonly changed: ReadonlySet<CallNode>; readonly dropped: readonly string[] } {
    const dropped = this.#dropped;
    this.#dropped = [];
    return { changed: this.#fold.takeChanges(), dropped };
  }

  /** Returns the names of the dropped traces. */
  #dropOldest(): readonly string[] {
    const names = new Set<string>();
    const isWithin = (): boolean =>
      this.#fold.size <= 1 ||
      (this.#fold.size <= Math.max(MAX_TRACES, this.#keeper?.maxTraces ?? 0) &&
        this.#characters <= MAX_CHARACTERS);
    if (isWithin()) return [];
    const pinned = this.#findPinned(this);
    const newest = [...this.#calls.keys()].at(-1) ?? '';
    for (const call of this.#calls.keys()) {
      const tree = this.#fold.treeOf(call);
      if (!tree || pinned.has(tree.trace)) continue;
      if (isWithin() || tree === this.#fold.treeOf(newest)) break;
      this.#drop(tree, names);
    }
    return [...names];
  }

  /** Returns the ids of the dropped calls. */
  #drop(tree: TraceTree, names: Set<string>): readonly string[] {
    names.add(tree.trace);
    const gone: string[] = [];
    for (const { call, trace } of this.#fold.forget(tree)) {
      this.#characters -= this.#calls.get(call)?.characters ?? 0;
      this.#calls.delete(call);
      this.#inMemory.delete(call);
      gone.push(call);
      names.add(trace);
    }
    this.#dropped.push(...gone);
    return gone;
  }

  #keep(stored: StoredCall, event: TraceEvent): void {
    const characters = countCharacters(event);
    if (this.#keeper && stored.isInMemory && stored.characters + characters > MAX_OF_CALL)
      this.#leaveToDisk(event.call, stored);
    if (!stored.isInMemory) return this.#fold.add(withoutPayload(event));
    stored.events.push(event);
    stored.characters += characters;
    this.#characters += characters;
    this.#fold.add(event);
    if (!this.#keeper || this.#characters <= MAX_IN_MEMORY) return;
    for (const call of this.#inMemory) {
      if (this.#characters <= MAX_IN_MEMORY) break;
      const oldest = this.#calls.get(call);
      if (oldest && this.#fold.find(call)?.status !== 'open') this.#leaveToDisk(call, oldest);
    }
  }

  #leaveToDisk(call: string, stored: StoredCall): void {
    this.#characters -= stored.characters;
    stored.events = [];
    stored.characters = 0;
    stored.isInMemory = false;
    this.#inMemory.delete(call);
    this.#fold.dropPayload(call);
  }

  async #load(keeper: TraceKeeper): Promise<void> {
    const earlier = new Map<string, number>();
    const before = this.#fold.size;
    await keeper.load({
      take: event => this.#takeEarlier(event, earlier),
      isFull: () => this.#fold.size - before >= keeper.maxTraces,
    });
    const calls = new Map<string, StoredCall>();
    for (const [call] of [...earlier].sort(([, one], [, other]) => one - other))
      if (this.#fold.find(call)) calls.set(call, { events: [], characters: 0, isInMemory: false });
    this.#calls = new Map([...calls, ...this.#calls]);
    const pinned = this.#findPinned(this);
    const dropped = new Set<string>();
    const trees = this.trees().filter(({ roots }) => roots.every(({ call }) => earlier.has(call.call)));
    const gone = trees.slice(keeper.maxTraces).filter(tree => !pinned.has(tree.trace));
    keeper.forget(gone.flatMap(tree => this.#drop(tree, dropped)));
    this.changed.fire({ added: undefined, dropped: [...dropped] });
  }

  #takeEarlier(event: SkeletonEvent, earlier: Map<string, number>): void {
    if (event.type === 'call') {
      if (this.#calls.has(event.call)) return;
      earlier.set(event.call, event.at);
    } else if (!earlier.has(event.call)) return;
    this.#fold.add(event);
  }
}

function listPayload(stored: StoredCall | undefined): readonly (HeadEvent | WireEvent)[] {
  return stored?.events.filter(event => event.type === 'head' || event.type === 'wire') ?? [];
}

function countCharacters(event: TraceEvent): number {
  if (event.type !== 'wire') return BESIDE_TEXT;
  return BESIDE_TEXT + storedLength(event);
}
