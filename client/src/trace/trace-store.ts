import { EventEmitter, type Disposable } from 'vscode';
import type { HeadEvent, TraceEvent, WireEvent } from '../../../core/events/events.ts';
import { TraceFold } from '../../../trace/fold/fold.ts';
import { withoutPayload, type SkeletonEvent } from '../../../core/events/marks.ts';
import { PayloadCheck, WHY_LOST } from '../../../trace/payload-check.ts';
import type { PayloadPiece } from '../../../core/events/payload-pieces.ts';
import { fitPayload, type PayloadRoom } from '../../../trace/payload-room.ts';
import { keptLength } from '../../../core/events/said.ts';
import type { CallNode, TraceTree } from '../../../trace/fold/tree.ts';
import type { TraceKeeper } from './trace-keeper.ts';

/** Traces in memory at most; the oldest go first. */
const MOST_TRACES = 500;

/** Characters on the wire in memory at most, in all traces together. The newest trace stays whatever its size. */
const MOST_CHARACTERS = 256 * 1024 * 1024;

/** Beyond so many characters those of the oldest calls that ended are read from disk again, where they are kept there. */
const MOST_IN_MEMORY = 64 * 1024 * 1024;

/** Beyond so many characters a call is read from disk, where it is kept there. */
const MOST_OF_CALL = 16 * 1024 * 1024;

/** What an event takes in memory beside its text, counted in characters: many small calls weigh as much as a long one. */
const BESIDE_TEXT = 200;

const GONE_FROM_DISK =
  'What was on the wire is not on disk: newer traces took the room (parley.trace.keepMegabytes says how much there is), or it could not be written';

const CUT_ON_DISK = `Not all that was on the wire can be read any more: ${WHY_LOST}`;

/**
 * What changed: an event that came, and the traces that went. Without an event they were deleted, all were cleared, those of
 * earlier windows came, or there is something new to note.
 */
export interface TraceChange {
  readonly added: { readonly trace: string; readonly event: TraceEvent } | undefined;
  /** Names of traces that are no longer kept, by all names that their calls know them by. */
  readonly dropped: readonly string[];
}

interface StoredCall {
  /** In the order in which they came; none where what was on the wire is on disk alone. */
  events: TraceEvent[];
  characters: number;
  isInMemory: boolean;
}

/**
 * The traces of this window: every event as it came, and the trees that they make. Calls of all sources are in one fold, so
 * that what one recorder heard and another one told come to stand in one tree. Where there is a keeper, it has all on disk,
 * and those of earlier windows join the fold when they are asked for.
 */
export class TraceStore implements Disposable {
  readonly #fold = new TraceFold();
  /** The oldest first. */
  #calls = new Map<string, StoredCall>();
  /** Calls of which all that was on the wire is in memory; the oldest first. */
  readonly #inMemory = new Set<string>();
  readonly #changed = new EventEmitter<TraceChange>();
  #dropped: string[] = [];
  #characters = 0;
  readonly #findPinned: (traces: TraceStore) => ReadonlySet<string>;
  readonly #keeper: TraceKeeper | undefined;
  #loading: Promise<void> | undefined;

  readonly onDidChange = this.#changed.event;

  /** `findPinned` tells the names of the traces that stay whatever comes. */
  constructor(
    findPinned: (traces: TraceStore) => ReadonlySet<string> = () => new Set(),
    keeper?: TraceKeeper,
  ) {
    this.#findPinned = findPinned;
    this.#keeper = keeper;
    keeper?.onNote(() => this.#changed.fire({ added: undefined, dropped: [] }));
  }

  /** What could not be kept, and why. */
  get notes(): readonly string[] {
    return this.#keeper?.notes ?? [];
  }

  /** Has the traces of earlier windows come, once. They have no payloads in memory. */
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
    this.#changed.fire({ added: { trace, event }, dropped: this.#dropOldest() });
  }

  /** Forgets all traces but those that are pinned, also those of earlier windows, and what is kept of them on disk. */
  clear(): void {
    const pinned = this.#findPinned(this);
    const dropped = new Set<string>();
    for (const tree of this.#fold.trees()) if (!pinned.has(tree.trace)) this.#drop(tree, dropped);
    void this.#keeper?.clear(new Set(this.#calls.keys()));
    this.#changed.fire({ added: undefined, dropped: [...dropped] });
  }

  /** Forgets the trace of a call, and what is kept of it on disk. */
  delete(call: string): void {
    const tree = this.#fold.treeOf(call);
    if (!tree) return;
    const dropped = new Set<string>();
    this.#keeper?.forget(this.#drop(tree, dropped));
    this.#changed.fire({ added: undefined, dropped: [...dropped] });
  }

  /** The trees of all traces, the newest first. */
  trees(): readonly TraceTree[] {
    return this.#fold.trees().toReversed();
  }

  /** A trace's tree by its name or by that of one of its roots, or undefined where it is not kept. */
  findTree(trace: string): TraceTree | undefined {
    const trees = this.#fold.trees();
    return (
      trees.find(tree => tree.trace === trace) ??
      trees.find(tree => tree.roots.some(root => root.call.trace === trace))
    );
  }

  /** The trace of a call, or undefined where it is not kept. */
  treeOf(call: string): TraceTree | undefined {
    return this.#fold.treeOf(call);
  }

  /** A call's events in the order in which they came; of one that is on disk, what was on the wire, and its notes. */
  async eventsOf(call: string): Promise<readonly TraceEvent[]> {
    const stored = this.#calls.get(call);
    if (!stored || stored.isInMemory || !this.#keeper) return stored?.events ?? [];
    const payload = await this.payload(call);
    const node = this.#fold.find(call);
    if (!node) return [];
    const { lastAt: at } = node.traffic;
    return [node.call, ...payload, ...node.notes.map(text => ({ type: 'note', call, at, text }) as const)];
  }

  /** What was on the wire of a call, in order, as far as there is room. */
  async payload(call: string, room?: PayloadRoom): Promise<readonly (HeadEvent | WireEvent)[]> {
    const stored = this.#calls.get(call);
    if (!stored || stored.isInMemory || !this.#keeper) return fitPayload(listPayload(stored), room);
    const before = this.#fold.find(call);
    const check = before && new PayloadCheck(before.traffic);
    const payload = await this.#keeper.payload(call, room);
    const node = this.#fold.find(call);
    if (!node) return [];
    check?.take(payload);
    if (check?.isWhole === false && room?.isSpent !== true) {
      const text = payload.length === 0 ? GONE_FROM_DISK : CUT_ON_DISK;
      this.#fold.add({ type: 'note', call, at: node.traffic.lastAt, text });
      this.#changed.fire({ added: undefined, dropped: [] });
    }
    return payload;
  }

  /** What was on the wire of calls: of those in memory first. */
  async *payloads(calls: readonly string[]): AsyncGenerator<PayloadPiece, void> {
    const onDisk: string[] = [];
    for (const call of calls) {
      const stored = this.#calls.get(call);
      if (stored?.isInMemory === false && this.#keeper) onDisk.push(call);
      else yield { call, events: listPayload(stored), isLast: true };
    }
    if (this.#keeper && onDisk.length > 0) yield* this.#keeper.payloads(onDisk);
  }

  /** A call with its trace, or undefined where it is not kept. */
  findCall(call: string): { readonly trace: string; readonly node: CallNode } | undefined {
    const node = this.#fold.find(call);
    const tree = this.#fold.treeOf(call);
    return node && tree && { trace: tree.trace, node };
  }

  /** Puts calls where their times say, where some came out of order. Work: all calls then, and none else. */
  settle(): void {
    this.#fold.settle();
  }

  /** What changed since this was asked last: calls, and the ids of those that went. One may ask. */
  takeChanges(): { readonly changed: ReadonlySet<CallNode>; readonly dropped: readonly string[] } {
    const dropped = this.#dropped;
    this.#dropped = [];
    return { changed: this.#fold.takeChanges(), dropped };
  }

  dispose(): void {
    this.#changed.dispose();
  }

  /** Answers the names of the traces that went. */
  #dropOldest(): readonly string[] {
    const names = new Set<string>();
    const isWithin = (): boolean =>
      this.#fold.size <= 1 ||
      (this.#fold.size <= Math.max(MOST_TRACES, this.#keeper?.mostTraces ?? 0) &&
        this.#characters <= MOST_CHARACTERS);
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

  /** Answers the calls that went. */
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
    if (this.#keeper && stored.isInMemory && stored.characters + characters > MOST_OF_CALL)
      this.#leaveToDisk(event.call, stored);
    if (!stored.isInMemory) {
      this.#fold.add(withoutPayload(event));
      return;
    }
    stored.events.push(event);
    stored.characters += characters;
    this.#characters += characters;
    this.#fold.add(event);
    if (!this.#keeper || this.#characters <= MOST_IN_MEMORY) return;
    for (const call of this.#inMemory) {
      if (this.#characters <= MOST_IN_MEMORY) break;
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
      isFull: () => this.#fold.size - before >= keeper.mostTraces,
    });
    const calls = new Map<string, StoredCall>();
    for (const [call] of [...earlier].sort(([, one], [, other]) => one - other))
      if (this.#fold.find(call)) calls.set(call, { events: [], characters: 0, isInMemory: false });
    this.#calls = new Map([...calls, ...this.#calls]);
    const pinned = this.#findPinned(this);
    const dropped = new Set<string>();
    const trees = this.trees().filter(({ roots }) => roots.every(({ call }) => earlier.has(call.call)));
    const gone = trees.slice(keeper.mostTraces).filter(tree => !pinned.has(tree.trace));
    keeper.forget(gone.flatMap(tree => this.#drop(tree, dropped)));
    this.#changed.fire({ added: undefined, dropped: [...dropped] });
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
  return BESIDE_TEXT + keptLength(event);
}
