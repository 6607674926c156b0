import type { CallNode } from '../../../../trace/fold/tree.ts';
import { Changing } from '../../base/changing.ts';
import type { TraceChange, TraceStore } from '../../trace/trace-store.ts';

/** The state of the last call to an agent, without its payload. */
export type LastCall = Pick<CallNode, 'status' | 'code' | 'duration' | 'message'>;

/** The last call to each agent. It is retained when its trace is deleted, but not when all traces are cleared. */
export class LastCalls extends Changing {
  readonly #traces: TraceStore;
  readonly #calls = new Map<string, LastCall>();

  constructor(traces: TraceStore) {
    super();
    this.#traces = traces;
    this.own(traces.onDidChange(change => this.#take(change)));
  }

  /** The last call to an agent; undefined if there is none. */
  get(agent: string): LastCall | undefined {
    return this.#calls.get(agent);
  }

  /** Discards the last call to an agent whose entry changed, or that was disconnected. */
  forget(agent: string): void {
    if (this.#calls.delete(agent)) this.changed.fire();
  }

  #take({ added }: TraceChange): void {
    // Only the beginning and the end of a call change the state of its agent.
    if (added && added.event.type !== 'call' && added.event.type !== 'end') return;
    const node = added && this.#traces.findCall(added.event.call)?.node;
    // An event without `added` also occurs when a single trace is deleted.
    if (!added && this.#traces.trees().length === 0) this.#calls.clear();
    else if (node) {
      const { status, code, duration, message } = node;
      this.#calls.set(node.call.agent, { status, code, duration, message });
    }
    this.changed.fire();
  }
}
