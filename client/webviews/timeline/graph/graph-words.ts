import { countOf, showCount } from '../../../../core/text/count.ts';
import type { CallGraph, GraphEdge, GraphNode, Participant } from '../../../../trace/graph/call-graph.ts';
import type { GraphBox, GraphLayout, GraphLine } from '../../../../trace/graph/graph-layout.ts';
import { describeDepth, isNearLimit, isTooDeep } from '../../../../core/events/recursion-guard.ts';
import { formatDuration } from '../../../../trace/words.ts';
import type { TraceCall } from '../model.ts';

/** The displayed name of the client, which is not an agent of the trace. */
export const CLIENT = 'client';

/** The name of an agent, or of the client. */
export function nameOf(agent: Participant): string {
  return agent ?? CLIENT;
}

/** The name of some agents that are drawn as one: the only one, or their number. */
export function nameOfAgents(agents: readonly Participant[]): string {
  return agents.length === 1 ? nameOf(agents[0]) : countOf(agents.length, 'more agent');
}

export function nameOfBox({ nodes }: GraphBox): string {
  return nameOfAgents(nodes.map(({ agent }) => agent));
}

/**
 * The text in a box besides its name: the calls in parts, with errors marked, and the depth if it is near the
 * limit.
 */
export interface BoxFacts {
  readonly parts: readonly { readonly text: string; readonly kind: 'plain' | 'failed' }[];
  /** Empty if no call is near the limit. */
  readonly depth: string;
  readonly isOver: boolean;
}

/** The text in a box. */
export function describeBox({ nodes }: GraphBox, depthLimit: number): BoxFacts {
  const sum = (pick: (node: GraphNode) => number): number =>
    nodes.reduce((total, node) => total + pick(node), 0);
  const [calls, errors] = [sum(({ calls: count }) => count), sum(({ errors: count }) => count)];
  const deepest = nodes.reduce((most, node) => Math.max(most, node.deepest), 0);
  const uncalled = nodes[0]?.agent === undefined ? 'began the trace' : 'only calls others';
  return {
    parts: [
      { text: calls === 0 ? uncalled : countOf(calls, 'call'), kind: 'plain' },
      ...(errors > 0 ? [{ text: `${showCount(errors)} failed`, kind: 'failed' } as const] : []),
    ],
    depth: isNearLimit(deepest, depthLimit) ? describeDepth(deepest, depthLimit) : '',
    isOver: isTooDeep(deepest, depthLimit),
  };
}

/** The label of a line: the number of calls and their outcome. */
export function describeLine({ edges }: Pick<GraphLine<TraceCall>, 'edges'>): {
  readonly calls: string;
  readonly outcome: string;
  readonly hasFailed: boolean;
} {
  const sum = (pick: (edge: GraphEdge<TraceCall>) => number): number =>
    edges.reduce((total, edge) => total + pick(edge), 0);
  const [errors, open] = [sum(edge => edge.errors), sum(edge => edge.open)];
  const parts = [
    errors > 0 ? `${showCount(errors)} failed` : '',
    open > 0 ? `${showCount(open)} running` : '',
  ].filter(Boolean);
  return {
    calls: countOf(
      sum(edge => edge.calls.length),
      'call',
    ),
    outcome: parts.join(', ') || formatDuration(sum(edge => edge.duration)),
    hasFailed: errors > 0,
  };
}

/** The tooltip of a line: `planner → booker: 2 calls, 310 ms, 1 failed; part of a cycle`. */
export function explainLine(line: GraphLine<TraceCall>): string {
  const { calls } = describeLine(line);
  const duration = formatDuration(line.edges.reduce((sum, edge) => sum + edge.duration, 0));
  const errors = line.edges.reduce((sum, edge) => sum + edge.errors, 0);
  const cycle = line.edges.some(edge => edge.isInCycle) ? '; part of a cycle' : '';
  const failed = errors > 0 ? `, ${showCount(errors)} failed` : '';
  return `${nameOfBox(line.from)} → ${nameOfBox(line.to)}: ${calls}, ${duration}${failed}${cycle}`;
}

/** Describes the whole graph, including the depth limit and what is not drawn. */
export function describeGraph(
  graph: CallGraph<TraceCall>,
  layout: GraphLayout<TraceCall>,
  depthLimit: number,
): string {
  const agents = graph.nodes.filter(({ agent }) => agent !== undefined).length;
  const calls = graph.edges.reduce((sum, edge) => sum + edge.calls.length, 0);
  const grouped = layout.boxes.at(-1)?.nodes.length ?? 1;
  const parts = [
    countOf(agents, 'agent'),
    countOf(calls, 'call'),
    `deepest call at ${describeDepth(graph.deepest, depthLimit)}`,
    grouped > 1 ? `the last box groups ${countOf(grouped, 'agent')}, which the table lists` : '',
    layout.leftOut > 0 ? `${countOf(layout.leftOut, 'line')} left out, which the table has` : '',
  ];
  return parts.filter(Boolean).join(' · ');
}
