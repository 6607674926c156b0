import { showCount } from '../text/count.ts';

/*
 * Rules and texts of the recursion guard (reading of OpenStarry, section 5). A depth is the number of calls
 * above a call, the limit is the greatest depth that is allowed, and a cycle is the list of agents from one
 * that is called again up to that call.
 */

/** Depths are highlighted from this number below the limit on. */
const NEAR = 2;

/** True if a call has more calls above it than the limit allows. */
export function isTooDeep(depth: number, limit: number): boolean {
  return depth > limit;
}

/** True if a depth should be highlighted: near the limit or above it. */
export function isNearLimit(depth: number, limit: number): boolean {
  return depth >= Math.max(1, limit - NEAR);
}

/** A depth beside its limit: `3 of 5`; `6, over 5`. */
export function showDepth(depth: number, limit: number): string {
  return isTooDeep(depth, limit)
    ? `${showCount(depth)}, over ${showCount(limit)}`
    : `${showCount(depth)} of ${showCount(limit)}`;
}

/** The same with a label: `depth 3 of 5`. */
export function describeDepth(depth: number, limit: number): string {
  return `depth ${showDepth(depth, limit)}`;
}

/** A cycle: `planner → booker → planner`. */
export function showCycle(agents: readonly string[]): string {
  return agents.join(' → ');
}

/** The cycle that a call closes, prefixed with `perhaps` if a caller in it is inferred; undefined if it closes none. */
export function showCycleOf({
  cycle,
  isCycleInferred,
}: {
  readonly cycle?: readonly string[] | undefined;
  readonly isCycleInferred?: boolean;
}): string | undefined {
  if (!cycle) return undefined;
  return isCycleInferred === true ? `perhaps ${showCycle(cycle)}` : showCycle(cycle);
}

/** Why a call is refused, without a full stop, so that the caller can append what it did. */
export function describeTooDeep(depth: number, limit: number): string {
  return `Recursion limit reached: depth ${depth}, limit ${limit}`;
}
