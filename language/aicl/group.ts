import type { AiclNode, PairNode, Children } from './ast.ts';
import { isRun, RunChildren, type PlacedRun, type ReadRun } from './run.ts';

/** The values of a list. A pair in a list is a fault; its value is used. */
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

/** The pairs of a dictionary; values without a key are dropped. */
export function toPairs(
  parts: readonly (PairNode | PlacedRun)[],
  readRun: ReadRun<AiclNode | PairNode>,
): Children<PairNode> {
  const nodes = parts.filter((part): part is PairNode => !isRun(part));
  return nodes.length === parts.length
    ? nodes
    : new RunChildren<PairNode>(parts, run => readRun(run).flatMap(node => ('kind' in node ? [] : node)));
}
