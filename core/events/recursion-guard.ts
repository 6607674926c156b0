import { showCount } from '../text/count.ts';

/*
 * The recursion guard in judgement and words (reading of OpenStarry, section 5): a depth is the count of calls above one, a limit
 * the greatest that may pass, a cycle the agents from the one that is entered again to itself.
 */

/** Depths are worth telling from so many below the limit on. */
const NEAR = 2;

/** True where more calls stand above one than may. */
export function isTooDeep(depth: number, limit: number): boolean {
  return depth > limit;
}

/** True where a depth is worth telling at a glance: near the limit, or over it. */
export function isNearLimit(depth: number, limit: number): boolean {
  return depth >= Math.max(1, limit - NEAR);
}

/** A depth beside its limit: `3 of 5`; `6, over 5`. */
export function showDepth(depth: number, limit: number): string {
  return isTooDeep(depth, limit)
    ? `${showCount(depth)}, over ${showCount(limit)}`
    : `${showCount(depth)} of ${showCount(limit)}`;
}

/** The same with its name: `depth 3 of 5`. */
export function describeDepth(depth: number, limit: number): string {
  return `depth ${showDepth(depth, limit)}`;
}

/** A cycle: `planner → booker → planner`. */
export function showCycle(agents: readonly string[]): string {
  return agents.join(' → ');
}

/** The cycle that a call closes, `perhaps` where a caller on the way is inferred; undefined where it closes none. */
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

/** Why a call is refused, without a full stop: who refuses it says what it did. */
export function describeTooDeep(depth: number, limit: number): string {
  const stand = depth === 1 ? '1 call stands' : `${depth} calls stand`;
  return `Recursion guard: ${stand} above this one, and ${limit} may`;
}
