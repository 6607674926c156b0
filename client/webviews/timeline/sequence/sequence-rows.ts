import type { SequenceDiagram, SequenceStep } from '../../../../trace/graph/sequence-diagram.ts';
import type { RowPlace } from '../../shared/virtual-list.ts';
import { BadgeList } from '../badge.ts';
import { listBadges } from '../call-words.ts';
import type { TraceCall, TraceModel } from '../model.ts';
import type { LanePlaces } from './sequence-chart.ts';
import { describeStep, isWorthShowing, labelOf } from './sequence-words.ts';
import { formatOffset } from '../waterfall/time-scale.ts';
import { h, type View } from '../../shared/view.ts';

/** Pixels of the times, left of the lanes. */
export const TIMES = 72;

/** Pixels between a lane and the labels of its arrows. */
const GAP = 12;

/** The state of the rows besides their steps. */
export interface StepLooks {
  readonly model: TraceModel;
  readonly diagram: SequenceDiagram<TraceCall>;
  readonly lanes: LanePlaces;
  /** Pixels between lanes. */
  readonly pitch: number;
  /** The width of a row in pixels. */
  readonly width: number;
  /** The index of the step with the cursor. */
  readonly current: number;
  readonly selected: TraceCall | undefined;
  readonly found: ReadonlySet<string> | undefined;
}

/** The label of a step. */
export function buildStep(
  step: SequenceStep<TraceCall>,
  { id, index, top }: RowPlace,
  { model, diagram, lanes, pitch, width, current, selected, found }: StepLooks,
): View {
  const { call, kind, from, to } = step;
  const words = describeStep(step, model);
  const isCurrent = index === current && call === selected;
  const partner = call === selected && !isCurrent ? ' partner' : '';
  const match = found?.has(call.state.id) ? ' found' : '';
  const isOwn = from === to;
  const [left, right] = [lanes.xOf(Math.min(from, to)), lanes.xOf(Math.max(from, to))];
  const start = Math.round(left) + (isOwn ? GAP + 24 : GAP);
  const length = Math.max(24, (isOwn ? pitch - 24 : right - left) - GAP * 2);
  const badges = kind === 'call' ? listBadges(call.state, model.depthLimit).filter(isWorthShowing) : [];
  return h(
    'div',
    {
      key: id,
      id,
      // Positioned by `top`, not by a transform, because the chart is drawn between a row's background and its text.
      style: `top: ${top}px`,
      class: `step ${kind} status-${call.state.status}${partner}${match}`,
      role: 'option',
      title: words,
      'aria-selected': isCurrent,
      'aria-posinset': index + 1,
      'aria-setsize': diagram.length,
    },
    h('span', { class: 'visually-hidden' }, words),
    h('span', { class: 'time muted number', 'aria-hidden': true }, formatOffset(step.at - model.start, 1)),
    h(
      'span',
      { class: 'label', 'aria-hidden': true, style: placeLabel(start, length, width) },
      h('span', { class: 'title clip' }, labelOf(step)),
      h(BadgeList, { badges }),
    ),
  );
}

/** The place of a label: over its arrow and, if it is longer, beyond the end of the arrow that has more room. */
function placeLabel(start: number, length: number, width: number): string {
  const [before, after] = [start + length - TIMES, width - start - GAP];
  const side = after >= before ? `left: ${start}px` : `right: ${width - start - length}px`;
  return `${side}; min-width: ${length}px; max-width: ${Math.max(length, before, after)}px`;
}
