import type { SequenceDiagram, SequenceStep } from '../../../trace/graph/sequence-diagram.ts';
import { countOf } from '../../../core/text/count.ts';
import { describeDepth } from '../../../core/events/recursion-guard.ts';
import { formatDuration } from '../../../trace/words.ts';
import { listBadges, outcomeOf } from './call-words.ts';
import { nameOf } from './graph-words.ts';
import type { TraceCall, TraceModel } from './model.ts';

/** What stands over an arrow: the title of a call, or what came of it. */
export function labelOf({ kind, call }: SequenceStep<TraceCall>): string {
  return kind === 'call' ? call.state.title : outcomeOf(call.state);
}

/** A step for screen readers: `after 60 ms, planner calls weather: tools/call forecast, depth 3 of 5`. */
export function describeStep(step: SequenceStep<TraceCall>, model: TraceModel): string {
  const { kind, call, at } = step;
  const [caller, callee] = [nameOf(step.caller), nameOf(step.callee)];
  const after = `after ${formatDuration(at - model.start)}`;
  if (kind === 'reply') return `${after}, ${callee} replies to ${caller}: ${outcomeOf(call.state)}`;
  const badges = listBadges(call.state, model.depthLimit)
    .filter(isWorthSaying)
    .map(({ kind: badge, text }) =>
      badge === 'depth' || badge === 'tripped'
        ? describeDepth(call.state.depth ?? 0, model.depthLimit)
        : text,
    );
  const verb = call.state.isBack ? 'asks its caller' : 'calls';
  return [`${after}, ${caller} ${verb} ${callee}: ${call.state.title}`, ...badges].join(', ');
}

/** Of the badges of a call, those about where it stands: its sides are drawn as one here, and its notes stand in its details. */
export function isWorthSaying({ kind }: ReturnType<typeof listBadges>[number]): boolean {
  return kind === 'cycle' || kind === 'depth' || kind === 'tripped' || kind === 'inferred';
}

/** What the lane that stands for many says. */
export function nameOfLane({ agents }: SequenceDiagram<TraceCall>['lanes'][number]): string {
  return agents.length === 1 ? nameOf(agents[0]) : countOf(agents.length, 'more agent');
}
