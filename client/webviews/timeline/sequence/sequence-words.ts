import type { SequenceStep } from '../../../../trace/graph/sequence-diagram.ts';
import { describeDepth } from '../../../../core/events/recursion-guard.ts';
import { formatDuration } from '../../../../trace/words.ts';
import { listBadges, outcomeOf } from '../call-words.ts';
import { nameOf } from '../graph/graph-words.ts';
import type { TraceCall, TraceModel } from '../model.ts';

/** The label of an arrow: the title of a call, or its outcome for a reply. */
export function labelOf({ kind, call }: SequenceStep<TraceCall>): string {
  return kind === 'call' ? call.state.title : outcomeOf(call.state);
}

/**
 * Describes a step for screen readers:
 * `after 60 ms, planner calls weather: tools/call forecast, depth 3 of 5`.
 */
export function describeStep(step: SequenceStep<TraceCall>, model: TraceModel): string {
  const { kind, call, at } = step;
  const [caller, callee] = [nameOf(step.caller), nameOf(step.callee)];
  const after = `after ${formatDuration(at - model.start)}`;
  if (kind === 'reply') return `${after}, ${callee} replies to ${caller}: ${outcomeOf(call.state)}`;
  const badges = listBadges(call.state, model.depthLimit)
    .filter(isWorthShowing)
    .map(({ kind: badge, text }) =>
      badge === 'depth' || badge === 'tripped'
        ? describeDepth(call.state.depth ?? 0, model.depthLimit)
        : text,
    );
  const verb = call.state.isBack ? 'sends a request to its caller' : 'calls';
  return [`${after}, ${caller} ${verb} ${callee}: ${call.state.title}`, ...badges].join(', ');
}

/**
 * True for badges about the position of a call. The sides of a call are drawn as one here, and its notes are
 * in the details.
 */
export function isWorthShowing({ kind }: ReturnType<typeof listBadges>[number]): boolean {
  return kind === 'cycle' || kind === 'depth' || kind === 'tripped' || kind === 'inferred';
}
