import { parentageOf, type CallState } from '../../../trace/fold/call-state.ts';
import { countOf, showCount } from '../../../core/text/count.ts';
import { isNearLimit, isTooDeep, showCycleOf, showDepth } from '../../../core/events/recursion-guard.ts';
import { describeOutcome, formatDuration } from '../../../trace/words.ts';
import type { TraceCall, TraceModel } from './model.ts';

/** How a call stands, as `describeOutcome` says it. */
export function outcomeOf({ status, code, at, until, pieces }: CallState): string {
  return describeOutcome({
    status,
    code,
    duration: until === undefined ? undefined : until - at,
    traffic: { piecesIn: pieces ?? 0 },
  });
}

/** The bar of a call in words: `begins after 12 ms, lasts 310 ms, first of the reply after 40 ms, 48 pieces`. */
export function describeTimes(model: TraceModel, { state }: TraceCall): string {
  const { at, until, first, pieces = 0 } = state;
  const parts = [
    `begins after ${formatDuration(at - model.start)}`,
    until === undefined ? 'not ended' : `lasts ${formatDuration(until - at)}`,
    first === undefined ? 'no reply' : `first of the reply after ${formatDuration(first - at)}`,
    pieces > 1 ? countOf(pieces, 'piece') : '',
  ];
  return parts.filter(Boolean).join(', ');
}

/** What stands behind the title of a call. */
export interface Badge {
  readonly kind: 'cycle' | 'depth' | 'tripped' | 'inferred' | 'sides' | 'note';
  readonly text: string;
  /** What is said before the text where it cannot be seen. */
  readonly said?: string;
}

/** What is worth knowing of a call at a glance, the gravest first. */
export function listBadges(state: CallState, depthLimit: number): readonly Badge[] {
  const { depth = 0, notes = [], isView } = state;
  const cycle = showCycleOf(state);
  const isTripped = isTooDeep(depth, depthLimit);
  const place = showDepth(depth, depthLimit);
  const badges: readonly (Badge | undefined)[] = [
    isTripped ? { kind: 'tripped', text: place, said: 'depth' } : undefined,
    cycle === undefined ? undefined : { kind: 'cycle', text: cycle, said: 'entered again' },
    !isTripped && depth > 0 && (isNearLimit(depth, depthLimit) || cycle !== undefined)
      ? { kind: 'depth', text: place, said: 'depth' }
      : undefined,
    isView ? { kind: 'sides', text: 'other side' } : undefined,
    parentageOf(state) === 'inferred' ? { kind: 'inferred', text: 'inferred' } : undefined,
    notes.length > 0 ? { kind: 'note', text: showCount(notes.length), said: 'notes' } : undefined,
  ];
  return badges.filter(badge => badge !== undefined);
}

/** Why a badge is there, for whoever points at it. */
export function explainBadge({ kind, text }: Badge): string {
  switch (kind) {
    case 'cycle':
      return `An agent is entered again: ${text}`;
    case 'depth':
      return `Calls above this one: ${text}`;
    case 'tripped':
      return `More calls stand above this one than may: ${text}`;
    case 'inferred':
      return 'The call above does not stand in this one: it was made while that one was served';
    case 'sides':
      return 'The same call as the one above, seen from another side';
    case 'note':
      return `Notes about this call, in its details: ${text}`;
  }
}

/** The name of a trace in the toolbar: `9 calls · 1.24 s`. While its calls come in, how many are there. */
export function describeTrace(model: TraceModel, size: number): string {
  const count =
    model.size < size ? `${showCount(model.size)} of ${countOf(size, 'call')}` : countOf(size, 'call');
  const running = model.open > 0 ? ` · ${countOf(model.open, 'call')} running` : '';
  return `${count} · ${formatDuration(model.end - model.start)}${running}`;
}
