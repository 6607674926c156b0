import type { AiclNode, PairNode } from './ast.ts';
import type { Children } from './children.ts';
import { isRun, RunChildren, type PlacedRun, type ReadRun } from './run.ts';

/** The values of a list. A pair that stands there by mistake gives its value. */
export function toItems(
  parts: readonly (AiclNode | PlacedRun)[],
  readRun: ReadRun<AiclNode | PairNode>,
): Children<AiclNode> {
  const nodes = parts.filter((part): part is AiclNode => !isRun(part));
  return nodes.length === parts.length
    ? nodes
    : new RunChildren<AiclNode>(parts, run =>
        readRun(run).flatMap(node => ('kind' in node ? node : (node.value ?? []))),
      );
}

/** The pairs of a dictionary. */
export function toPairs(
  parts: readonly (PairNode | PlacedRun)[],
  readRun: ReadRun<AiclNode | PairNode>,
): Children<PairNode> {
  const nodes = parts.filter((part): part is PairNode => !isRun(part));
  return nodes.length === parts.length
    ? nodes
    : new RunChildren<PairNode>(parts, run => readRun(run).flatMap(node => ('kind' in node ? [] : node)));
}
