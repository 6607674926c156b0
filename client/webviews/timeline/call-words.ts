import { parentageOf, type CallState } from '../../../trace/fold/call-state.ts';
import { countOf, showCount } from '../../../core/text/count.ts';
import { isNearLimit, isTooDeep, showCycleOf, showDepth } from '../../../core/events/recursion-guard.ts';
import { describeOutcome, formatDuration } from '../../../trace/words.ts';
import type { TraceCall, TraceModel } from './model.ts';

/** The outcome of a call in words, from `describeOutcome`. */
export function outcomeOf({ status, code, at, until, pieces }: CallState): string {
  return describeOutcome({
    status,
    code,
    duration: until === undefined ? undefined : until - at,
    traffic: { piecesIn: pieces ?? 0 },
  });
}

/** Describes the bar of a call: `begins after 12 ms, lasts 310 ms, first of the reply after 40 ms, 48 pieces`. */
export function describeTimes(model: TraceModel, { state }: TraceCall): string {
  const { at, until, first, pieces = 0 } = state;
  const parts = [
    `begins after ${formatDuration(at - model.start)}`,
    until === undefined ? 'not ended' : `lasts ${formatDuration(until - at)}`,
    first === undefined ? 'no reply' : `first byte after ${formatDuration(first - at)}`,
    pieces > 1 ? countOf(pieces, 'chunk') : '',
  ];
  return parts.filter(Boolean).join(', ');
}

/** A badge behind the title of a call. */
export interface Badge {
  readonly kind: 'cycle' | 'depth' | 'tripped' | 'inferred' | 'sides' | 'note';
  readonly text: string;
  /** Words before the text for screen readers, where icon and colour are not visible. */
  readonly accessiblePrefix?: string;
}

/** The badges of a call, the most serious first. */
export function listBadges(state: CallState, depthLimit: number): readonly Badge[] {
  const { depth = 0, notes = [], isView } = state;
  const cycle = showCycleOf(state);
  const isTripped = isTooDeep(depth, depthLimit);
  const place = showDepth(depth, depthLimit);
  const badges: readonly (Badge | undefined)[] = [
    isTripped ? { kind: 'tripped', text: place, accessiblePrefix: 'depth' } : undefined,
    cycle === undefined ? undefined : { kind: 'cycle', text: cycle, accessiblePrefix: 'cycle' },
    !isTripped && depth > 0 && (isNearLimit(depth, depthLimit) || cycle !== undefined)
      ? { kind: 'depth', text: place, accessiblePrefix: 'depth' }
      : undefined,
    isView ? { kind: 'sides', text: 'other side' } : undefined,
    parentageOf(state) === 'inferred' ? { kind: 'inferred', text: 'inferred' } : undefined,
    notes.length > 0 ? { kind: 'note', text: showCount(notes.length), accessiblePrefix: 'notes' } : undefined,
  ];
  return badges.filter(badge => badge !== undefined);
}

/** The tooltip of a badge. */
export function explainBadge({ kind, text }: Badge): string {
  switch (kind) {
    case 'cycle':
      return `Cycle: ${text}`;
    case 'depth':
      return `Depth: ${text}`;
    case 'tripped':
      return `Recursion limit reached: depth ${text}`;
    case 'inferred':
      return 'Inferred parent: this call names none, and was made while the one above was open';
    case 'sides':
      return 'The same call as the one above, recorded on another side';
    case 'note':
      return `Notes about this call, in its details: ${text}`;
  }
}

/**
 * The description of a trace in the toolbar: `9 calls · 1.24 s`. While its calls are loading, it includes
 * their number.
 */
export function describeTrace(model: TraceModel, size: number): string {
  const count =
    model.size < size ? `${showCount(model.size)} of ${countOf(size, 'call')}` : countOf(size, 'call');
  const running = model.open > 0 ? ` · ${countOf(model.open, 'call')} running` : '';
  return `${count} · ${formatDuration(model.end - model.start)}${running}`;
}
