import type { CallEvent, EndEvent, HeadEvent, TraceEvent, WireEvent } from './events.ts';
import type { CallNode, TraceTree } from './tree.ts';
import { quote } from '../text/quote.ts';

/** Folds all events of a trace file. */
export function foldTrace(events: Iterable<TraceEvent>): readonly TraceTree[] {
  const fold = new TraceFold();
  for (const event of events) fold.add(event);
  return fold.trees();
}

/**
 * Folds trace events into trees as they come. Every event is taken: one that comes again changes nothing (only wire
 * and head events, which may rightly repeat, count each time), one that comes before its call waits for it, a call
 * whose parent is unknown or leads back to itself is a root with a note. Events of different calls may come in any
 * order; those of one call fold in the order in which they come.
 */
export class TraceFold {
  readonly #calls = new Map<string, OpenCall>();
  readonly #waiting = new Map<string, CallDetail[]>();
  readonly #traces = new Map<string, OpenTrace>();

  /** Takes one event. */
  add(event: TraceEvent): void {
    if (event.type === 'call') this.#addCall(event);
    else this.#addDetail(event);
  }

  /** The traces so far, by the time of their first call. What did not change since the last time is the same object. */
  trees(): readonly TraceTree[] {
    const trees = [...this.#traces.values()].map(trace => trace.tree(id => this.#calls.get(id)));
    return trees.sort((a, b) => compareRoots(a, b));
  }

  /** What is odd about the events as a whole: those whose call never came. */
  notes(): readonly string[] {
    return [...this.#waiting].map(
      ([call, details]) =>
        `The call ${quote(call)} is not in the trace; ${details.length} of its events are left out`,
    );
  }

  /** Forgets all. */
  clear(): void {
    this.#calls.clear();
    this.#waiting.clear();
    this.#traces.clear();
  }

  #addCall(event: CallEvent): void {
    const known = this.#calls.get(event.call);
    if (known) {
      if (known.event.trace !== event.trace || known.event.at !== event.at) {
        known.note('Another call came with this id; it is left out');
      }
      return;
    }
    const trace = this.#traces.get(event.trace) ?? new OpenTrace(event.trace);
    this.#traces.set(event.trace, trace);
    const call = new OpenCall(event, trace);
    this.#calls.set(event.call, call);
    trace.add(call);
    for (const detail of this.#waiting.get(event.call) ?? []) call.take(detail);
    this.#waiting.delete(event.call);
  }

  #addDetail(event: CallDetail): void {
    const call = this.#calls.get(event.call);
    if (call) {
      call.take(event);
      return;
    }
    const waiting = this.#waiting.get(event.call);
    if (waiting) waiting.push(event);
    else this.#waiting.set(event.call, [event]);
  }
}

type CallDetail = Exclude<TraceEvent, CallEvent>;

/** A call that still takes events. */
class OpenCall {
  readonly event: CallEvent;
  readonly #trace: OpenTrace;
  readonly #heads: HeadEvent[] = [];
  readonly #wire: WireEvent[] = [];
  readonly #notes = new Set<string>();
  #end: EndEvent | undefined;
  #node: CallNode | undefined;
  #placeNote: string | undefined;

  constructor(event: CallEvent, trace: OpenTrace) {
    this.event = event;
    this.#trace = trace;
  }

  take(event: CallDetail): void {
    if (event.type === 'head') this.#heads.push(event);
    else if (event.type === 'wire') this.#wire.push(event);
    else if (event.type === 'note') this.#notes.add(event.text);
    else this.#takeEnd(event);
    this.#touch();
  }

  note(text: string): void {
    this.#notes.add(text);
    this.#touch();
  }

  #takeEnd(event: EndEvent): void {
    this.#end ??= event;
    if (event.status !== this.#end.status)
      this.#notes.add(`It ended again, as ${event.status}; the first end counts`);
  }

  #touch(): void {
    this.#node = undefined;
    this.#trace.touch();
  }

  /** The node as it is now, with what its place in the tree adds; the same object while nothing changed. */
  node(children: readonly CallNode[], placeNote: string | undefined): CallNode {
    const last = this.#node;
    if (last && isSameList(last.children, children) && placeNote === this.#placeNote) return last;
    this.#placeNote = placeNote;
    const end = this.#end;
    const node: CallNode = {
      call: this.event,
      status: end?.status ?? 'open',
      duration: end ? Math.max(0, end.at - this.event.at) : undefined,
      code: end?.code,
      message: end?.message,
      notes: placeNote ? [placeNote, ...this.#notes] : [...this.#notes],
      heads: [...this.#heads],
      wire: [...this.#wire],
      children,
    };
    this.#node = node;
    return node;
  }
}

type FindCall = (id: string) => OpenCall | undefined;

/** The calls of one trace. */
class OpenTrace {
  readonly #id: string;
  readonly #calls: OpenCall[] = [];
  #tree: TraceTree | undefined;

  constructor(id: string) {
    this.#id = id;
  }

  add(call: OpenCall): void {
    this.#calls.push(call);
    this.touch();
  }

  touch(): void {
    this.#tree = undefined;
  }

  tree(find: FindCall): TraceTree {
    this.#tree ??= { trace: this.#id, roots: this.#buildRoots(find) };
    return this.#tree;
  }

  #buildRoots(find: FindCall): readonly CallNode[] {
    const ordered = [...this.#calls].sort((a, b) => compareCalls(a.event, b.event));
    const places = placeCalls(ordered, find);
    const childrenOf = new Map<OpenCall | undefined, OpenCall[]>();
    for (const call of ordered) {
      const parent = places.get(call)?.parent;
      const siblings = childrenOf.get(parent);
      if (siblings) siblings.push(call);
      else childrenOf.set(parent, [call]);
    }
    return buildNodes(childrenOf, places);
  }
}

/** Where a call stands in its tree, and what is odd about that. */
interface Place {
  readonly parent: OpenCall | undefined;
  readonly note: string | undefined;
}

/** Finds each call's parent. Where parents form a loop, the earliest call of the loop becomes a root. */
function placeCalls(ordered: readonly OpenCall[], find: FindCall): ReadonlyMap<OpenCall, Place> {
  const places = new Map(ordered.map(call => [call, placeCall(call, find)]));
  const settled = new Set<OpenCall>();
  for (const start of ordered) {
    const path = new Set<OpenCall>();
    let at: OpenCall | undefined = start;
    while (at && !settled.has(at) && !path.has(at)) {
      path.add(at);
      at = places.get(at)?.parent;
    }
    if (at && path.has(at)) breakLoop(at, places);
    for (const call of path) settled.add(call);
  }
  return places;
}

function placeCall(call: OpenCall, find: FindCall): Place {
  const { parent: id, trace } = call.event;
  if (id === undefined) return { parent: undefined, note: undefined };
  const parent = find(id);
  if (parent?.event.trace === trace) return { parent, note: undefined };
  return { parent: undefined, note: `Its parent ${quote(id)} is not in the trace` };
}

function breakLoop(member: OpenCall, places: Map<OpenCall, Place>): void {
  let first = member;
  for (let at = places.get(member)?.parent; at && at !== member; at = places.get(at)?.parent) {
    if (compareCalls(at.event, first.event) < 0) first = at;
  }
  places.set(first, { parent: undefined, note: 'Its parents lead back to itself' });
}

/** Builds nodes from the leaves up, without recursion: a chain of calls may be as deep as a file is long. */
function buildNodes(
  childrenOf: ReadonlyMap<OpenCall | undefined, readonly OpenCall[]>,
  places: ReadonlyMap<OpenCall, Place>,
): readonly CallNode[] {
  const roots = childrenOf.get(undefined) ?? [];
  const topDown = [...roots];
  for (let at = 0; at < topDown.length; at++) {
    for (const child of childrenOf.get(topDown[at]) ?? []) topDown.push(child);
  }
  const nodes = new Map<OpenCall, CallNode>();
  const nodesOf = (calls: readonly OpenCall[]): readonly CallNode[] =>
    calls.flatMap(call => nodes.get(call) ?? []);
  for (const call of topDown.reverse()) {
    nodes.set(call, call.node(nodesOf(childrenOf.get(call) ?? []), places.get(call)?.note));
  }
  return nodesOf(roots);
}

function compareCalls(a: CallEvent, b: CallEvent): number {
  return a.at - b.at || (a.call < b.call ? -1 : a.call > b.call ? 1 : 0);
}

function compareRoots(a: TraceTree, b: TraceTree): number {
  const [first, second] = [a.roots[0], b.roots[0]];
  return first && second ? compareCalls(first.call, second.call) : 0;
}

function isSameList(a: readonly CallNode[], b: readonly CallNode[]): boolean {
  return a.length === b.length && a.every((node, index) => node === b[index]);
}
