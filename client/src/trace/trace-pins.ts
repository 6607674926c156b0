import type { Memento } from 'vscode';
import type { TraceSource } from './trace-source.ts';
import { Changing } from '../base/changing.ts';

const KEY = 'parley.pinnedTraces';

/**
 * The pinned traces, each identified by one of its calls, because the name of a trace may change and traces
 * may be joined.
 */
export class TracePins extends Changing {
  readonly #state: Memento;
  #calls: readonly string[];

  constructor(state: Memento) {
    super();
    this.#state = state;
    const stored = state.get<unknown>(KEY);
    this.#calls = Array.isArray(stored) ? stored.filter(call => typeof call === 'string') : [];
  }

  /** The calls that identify pinned traces. */
  get calls(): readonly string[] {
    return this.#calls;
  }

  /** The names of the pinned traces of a source. */
  tracesOf(source: Pick<TraceSource, 'treeOf'>): ReadonlySet<string> {
    return new Set(this.#calls.flatMap(call => source.treeOf(call)?.trace ?? []));
  }

  /** Pins the trace of a call. */
  pin(call: string): void {
    this.#keep([...this.#calls, call]);
  }

  /** Unpins the trace of a call. */
  unpin(call: string, source: Pick<TraceSource, 'treeOf'>): void {
    const trace = source.treeOf(call)?.trace;
    this.#keep(this.#calls.filter(known => known !== call && source.treeOf(known)?.trace !== trace));
  }

  #keep(calls: readonly string[]): void {
    this.#calls = [...new Set(calls)];
    void this.#state.update(KEY, this.#calls);
    this.changed.fire();
  }
}
