import type { CallGraph, GraphEdge, GraphNode, Participant } from './call-graph.ts';

/** The maximum numbers of agents and lines that are drawn; larger pictures are not readable. */
export const MAX_AGENTS = 200;
const MAX_LINES = 2000;

/** A box in the grid of a picture: an agent, or all agents beyond the maximum. */
export interface GraphBox {
  readonly nodes: readonly GraphNode[];
  readonly column: number;
  readonly row: number;
}

/** A line of a picture: the calls from one box to another one, or to itself. */
export interface GraphLine<Call> {
  readonly edges: readonly GraphEdge<Call>[];
  readonly from: GraphBox;
  readonly to: GraphBox;
}

/** A call graph as a picture from left to right: callers before callees. */
export interface GraphLayout<Call> {
  readonly boxes: readonly GraphBox[];
  readonly lines: readonly GraphLine<Call>[];
  /** The number of edges that are not drawn. */
  readonly leftOut: number;
  readonly columns: number;
  readonly rows: number;
}

/**
 * Places a call graph on a grid. Each agent is one column after its first caller, in the same row or the next
 * free one below. Later calls never move an agent. Beyond 200 agents, the last box holds all others.
 */
export function layOutGraph<Call>({ nodes, edges }: CallGraph<Call>): GraphLayout<Call> {
  const firstCallers = new Map<Participant, Participant>();
  for (const { from, to } of edges) if (!firstCallers.has(to)) firstCallers.set(to, from);
  const shown = nodes.length > MAX_AGENTS ? nodes.slice(0, MAX_AGENTS - 1) : nodes;
  const boxes = new Map<Participant, GraphBox>();
  const free: number[] = [];
  const place = (placed: readonly GraphNode[], column: number, least: number): GraphBox => {
    const row = Math.max(free[column] ?? 0, least);
    free[column] = row + 1;
    return { nodes: placed, column, row };
  };
  for (const node of shown) {
    const caller = firstCallers.has(node.agent) ? boxes.get(firstCallers.get(node.agent)) : undefined;
    boxes.set(node.agent, place([node], caller ? caller.column + 1 : 0, caller?.row ?? 0));
  }
  const others = nodes.slice(shown.length);
  const list = [...boxes.values()];
  if (others.length > 0) {
    const rest = place(others, 0, 0);
    list.push(rest);
    for (const { agent } of others) boxes.set(agent, rest);
  }
  const { lines, leftOut } = drawLines(edges, boxes);
  return {
    boxes: list,
    lines,
    leftOut,
    columns: free.length,
    rows: Math.max(0, ...Array.from(free, count => count ?? 0)),
  };
}

function drawLines<Call>(
  edges: readonly GraphEdge<Call>[],
  boxes: ReadonlyMap<Participant, GraphBox>,
): Pick<GraphLayout<Call>, 'lines' | 'leftOut'> {
  const lines = new Map<GraphBox, Map<GraphBox, GraphEdge<Call>[]>>();
  const list: GraphLine<Call>[] = [];
  let leftOut = 0;
  for (const edge of edges) {
    const [from, to] = [boxes.get(edge.from), boxes.get(edge.to)];
    if (!from || !to) continue;
    const known = lines.get(from)?.get(to);
    if (known) known.push(edge);
    else if (list.length >= MAX_LINES) leftOut++;
    else {
      const drawn = [edge];
      lines.set(from, (lines.get(from) ?? new Map<GraphBox, GraphEdge<Call>[]>()).set(to, drawn));
      list.push({ edges: drawn, from, to });
    }
  }
  return { lines: list, leftOut };
}
