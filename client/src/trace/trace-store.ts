import { EventEmitter, type Disposable } from 'vscode';
import type { TraceEvent } from '../../../protocol/src/trace/events.ts';
import { TraceFold } from '../../../protocol/src/trace/fold.ts';
import type { CallNode, TraceTree } from '../../../protocol/src/trace/tree.ts';

/** Traces kept at most; the oldest go first. */
const MOST_TRACES = 500;

/** Characters on the wire kept at most, in all traces together. The newest trace stays whatever its size. */
const MOST_CHARACTERS = 256 * 1024 * 1024;

/** What changed: an event that came, and the traces that went. Without an event all traces were cleared. */
export interface TraceChange {
  readonly added: { readonly trace: string; readonly event: TraceEvent } | undefined;
  /** Ids of traces that are no longer kept. */
  readonly dropped: readonly string[];
}

interface StoredTrace {
  readonly events: TraceEvent[];
  readonly fold: TraceFold;
  characters: number;
}

/** The traces of this window, in memory: every event as it came, and the tree that they make. */
export class TraceStore implements Disposable {
  readonly #traces = new Map<string, StoredTrace>();
  readonly #traceOfCall = new Map<string, string>();
  readonly #changed = new EventEmitter<TraceChange>();
  #characters = 0;

  readonly onDidChange = this.#changed.event;

  /** Adds an event to its trace. An event of a call that was cleared meanwhile is dropped. */
  add(event: TraceEvent): void {
    const trace = event.type === 'call' ? event.trace : this.#traceOfCall.get(event.call);
    if (trace === undefined) return;
    this.#traceOfCall.set(event.call, trace);
    const stored = this.#traces.get(trace) ?? { events: [], fold: new TraceFold(), characters: 0 };
    this.#traces.set(trace, stored);
    stored.events.push(event);
    stored.fold.add(event);
    const characters = countCharacters(event);
    stored.characters += characters;
    this.#characters += characters;
    this.#changed.fire({ added: { trace, event }, dropped: this.#dropOldest() });
  }

  clear(): void {
    const dropped = [...this.#traces.keys()];
    this.#traces.clear();
    this.#traceOfCall.clear();
    this.#characters = 0;
    this.#changed.fire({ added: undefined, dropped });
  }

  /** The trees of all traces, the newest first. */
  trees(): readonly TraceTree[] {
    return [...this.#traces.keys()].reverse().flatMap(trace => this.findTree(trace) ?? []);
  }

  /** A trace's tree, or undefined where it is not kept. */
  findTree(trace: string): TraceTree | undefined {
    return this.#traces
      .get(trace)
      ?.fold.trees()
      .find(tree => tree.trace === trace);
  }

  /** A trace's events in the order in which they came; none where it is not kept. */
  eventsOf(trace: string): readonly TraceEvent[] {
    return this.#traces.get(trace)?.events ?? [];
  }

  /** A call with its trace, or undefined where it is not kept. */
  findCall(call: string): { readonly trace: string; readonly node: CallNode } | undefined {
    const trace = this.#traceOfCall.get(call);
    const tree = trace === undefined ? undefined : this.findTree(trace);
    const open = [...(tree?.roots ?? [])];
    for (let node = open.pop(); node; node = open.pop()) {
      if (node.call.call === call && trace !== undefined) return { trace, node };
      open.push(...node.children);
    }
    return undefined;
  }

  dispose(): void {
    this.#changed.dispose();
  }

  /** Answers the traces that went. */
  #dropOldest(): readonly string[] {
    const dropped: string[] = [];
    for (const [trace, stored] of this.#traces) {
      const isWithin = this.#traces.size <= MOST_TRACES && this.#characters <= MOST_CHARACTERS;
      if (isWithin || this.#traces.size === 1) break;
      this.#traces.delete(trace);
      this.#characters -= stored.characters;
      for (const event of stored.events) this.#traceOfCall.delete(event.call);
      dropped.push(trace);
    }
    return dropped;
  }
}

function countCharacters(event: TraceEvent): number {
  if (event.type !== 'wire') return 0;
  return 'text' in event.bytes ? event.bytes.text.length : event.bytes.base64.length;
}
