import type { CallNode } from '../fold/tree.ts';

/** The number of these calls and all their descendants. Views of a call from other sides do not count. */
export function countCalls(calls: readonly CallNode[]): number {
  let count = 0;
  const open = [...calls];
  for (let next = open.pop(); next; next = open.pop()) {
    if (!next.isView) count++;
    for (const child of next.children) open.push(child);
  }
  return count;
}
