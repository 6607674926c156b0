import type { CallNode } from '../fold/tree.ts';

/** How many calls these are with all below them. The same call seen from another side counts once. */
export function countCalls(calls: readonly CallNode[]): number {
  let count = 0;
  const open = [...calls];
  for (let next = open.pop(); next; next = open.pop()) {
    if (!next.isView) count++;
    for (const child of next.children) open.push(child);
  }
  return count;
}
