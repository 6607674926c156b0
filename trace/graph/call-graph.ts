import { sortSteps } from './sort-steps.ts';
import { STEP, compareTimes, hasFailed, lengthOf, type WholeCall } from './whole-calls.ts';

/** A participant: an agent by its name; undefined is the client, outside of the trace. */
export type Participant = string | undefined;

/** An agent of a call graph. */
export interface GraphNode {
  readonly agent: Participant;
  /** The number of calls to it. */
  readonly calls: number;
  readonly errors: number;
  readonly open: number;
  /** The greatest depth of a call to it. */
  readonly deepest: number;
}

/** All calls from one agent to another one, or to itself. */
export interface GraphEdge<Call> {
  readonly from: Participant;
  readonly to: Participant;
  /** In the order of their times. */
  readonly calls: readonly Call[];
  readonly errors: number;
  readonly open: number;
  /** The total duration in milliseconds, added up even if calls overlap. */
  readonly duration: number;
  /** True for an edge of a cycle back to an agent that still waits for a reply. */
  readonly isInCycle: boolean;
}

/** A cycle from an agent back to itself. */
export interface GraphCycle<Call> {
  /** The agents from the first call of the agent to the last one. */
  readonly path: readonly string[];
  /** The calls that closed it, in the order of their times. */
  readonly calls: readonly Call[];
}

/** The callers and callees of a trace. All lists are in the order of the first call of each item. */
export interface CallGraph<Call> {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge<Call>[];
  readonly cycles: readonly GraphCycle<Call>[];
  /** The number of further calls that closed a cycle beyond the maximum number of cycles. */
  readonly cyclesLeftOut: number;
  /** The greatest depth of a call. */
  readonly deepest: number;
}

/** The maximum number of separate cycles; calls of further ones are counted, and marked on the edges. */
const MAX_CYCLES = 100;

/** Makes the graph of a trace, in short steps. Later calls only append to it. Visits all calls. */
export function* callGraphSteps<Call>(
  calls: readonly WholeCall<Call>[],
): Generator<undefined, CallGraph<Call>> {
  const graph = new GraphMaker<Call>();
  const inOrder = yield* sortSteps(calls, (one, other) => compareTimes(one.state.at, other.state.at));
  for (const [index, whole] of inOrder.entries()) {
    graph.add(whole);
    if (index % STEP === 0) yield undefined;
  }
  return graph.graph;
}

type Writable<Type> = { -readonly [Name in keyof Type]: Type[Name] };
type EdgeSum<Call> = Omit<Writable<GraphEdge<Call>>, 'calls' | 'isInCycle'> & { readonly calls: Call[] };

class GraphMaker<Call> {
  readonly #nodes = new Map<Participant, Writable<GraphNode>>();
  readonly #edges = new Map<Participant, Map<Participant, EdgeSum<Call>>>();
  readonly #order: EdgeSum<Call>[] = [];
  readonly #cycles = new Map<string, { readonly path: readonly string[]; readonly calls: Call[] }>();
  /** The edges of all cycles, from each agent to the next ones. */
  readonly #steps = new Map<Participant, Set<Participant>>();
  /** Edges whose calls closed a cycle. */
  readonly #closing = new Set<EdgeSum<Call>>();
  #leftOut = 0;
  #deepest = 0;

  add({ call, state, until, caller, callee }: WholeCall<Call>): void {
    const { at, status, depth = 0, cycle } = state;
    const duration = lengthOf(at, until);
    this.#nodeOf(caller);
    const node = this.#nodeOf(callee);
    const edge = this.#edgeOf(caller, callee);
    const [failed, open] = [hasFailed(state) ? 1 : 0, status === 'open' ? 1 : 0];
    node.calls++;
    node.errors += failed;
    node.open += open;
    node.deepest = Math.max(node.deepest, depth);
    this.#deepest = Math.max(this.#deepest, depth);
    edge.calls.push(call);
    edge.errors += failed;
    edge.open += open;
    edge.duration += duration;
    if (!cycle) return;
    this.#closing.add(edge);
    this.#close(call, cycle);
  }

  get graph(): CallGraph<Call> {
    return {
      nodes: [...this.#nodes.values()],
      edges: this.#order.map(edge => ({
        ...edge,
        isInCycle: this.#closing.has(edge) || (this.#steps.get(edge.from)?.has(edge.to) ?? false),
      })),
      cycles: [...this.#cycles.values()],
      cyclesLeftOut: this.#leftOut,
      deepest: this.#deepest,
    };
  }

  #nodeOf(agent: Participant): Writable<GraphNode> {
    const known = this.#nodes.get(agent);
    if (known) return known;
    const node = { agent, calls: 0, errors: 0, open: 0, deepest: 0 };
    this.#nodes.set(agent, node);
    return node;
  }

  #edgeOf(from: Participant, to: Participant): EdgeSum<Call> {
    const known = this.#edges.get(from)?.get(to);
    if (known) return known;
    const edge: EdgeSum<Call> = { from, to, calls: [], errors: 0, open: 0, duration: 0 };
    const edges = this.#edges.get(from) ?? new Map<Participant, EdgeSum<Call>>();
    this.#edges.set(from, edges.set(to, edge));
    this.#order.push(edge);
    return edge;
  }

  #close(call: Call, path: readonly string[]): void {
    const key = JSON.stringify(path);
    const known = this.#cycles.get(key);
    if (known) {
      known.calls.push(call);
      return;
    }
    if (this.#cycles.size < MAX_CYCLES) this.#cycles.set(key, { path, calls: [call] });
    else this.#leftOut++;
    for (let at = 1; at < path.length; at++) {
      const from = path[at - 1];
      this.#steps.set(from, (this.#steps.get(from) ?? new Set()).add(path[at]));
    }
  }
}
