import { countOf } from '../../core/text/count.ts';
import type { CallStatus } from '../../core/events/events.ts';
import type { PartKind, PartMedium, TracePart } from './part.ts';
import type { PieceTimes } from './piece-times.ts';

/** A part as a protocol's reader describes it. */
export interface PartDraft {
  /** Unique among its siblings. */
  readonly key: string;
  readonly kind: PartKind;
  readonly title?: string | undefined;
  readonly status: CallStatus;
  /** If undefined, the times of its parent are used. */
  readonly times: PieceTimes | undefined;
  readonly text?: string | undefined;
  readonly medium?: PartMedium | undefined;
  readonly callId?: string | undefined;
  readonly notes?: readonly string[] | undefined;
  readonly children?: readonly PartDraft[] | undefined;
}

/** The maximum number of parts of a reply that are shown. */
export const MAX_PARTS = 1000;

/** Takes the place of a part after `MAX_PARTS` others of its level; it is only counted. */
export const UNSHOWN_PART: PartDraft = { key: '', kind: 'message', status: 'ok', times: undefined };

/**
 * Finishes drafts as parts, breadth first, at most `MAX_PARTS` of them. Omitted parts are counted: those
 * inside a part in its notes, those at the top in `leftOut`. Visits each draft once.
 */
export function finishParts(drafts: readonly PartDraft[]): {
  readonly parts: readonly TracePart[];
  readonly leftOut: number;
} {
  const chosen = chooseParts(drafts);
  return {
    parts: drafts.flatMap(draft => (chosen.has(draft) ? [finish(draft, draft.key, chosen, undefined)] : [])),
    leftOut: drafts.reduce((sum, draft) => sum + (chosen.has(draft) ? 0 : countParts(draft)), 0),
  };
}

function chooseParts(drafts: readonly PartDraft[]): ReadonlySet<PartDraft> {
  const chosen = new Set<PartDraft>();
  for (let level = drafts; level.length > 0 && chosen.size < MAX_PARTS;) {
    const taken = level.slice(0, MAX_PARTS - chosen.size);
    for (const draft of taken) chosen.add(draft);
    level = taken.flatMap(draft => draft.children ?? []);
  }
  return chosen;
}

function countParts({ children = [] }: PartDraft): number {
  return children.reduce((sum, child) => sum + countParts(child), 1);
}

function finish(
  draft: PartDraft,
  id: string,
  chosen: ReadonlySet<PartDraft>,
  above: PieceTimes | undefined,
): TracePart {
  const { kind, title = '', status, text, medium, callId, notes = [], children = [] } = draft;
  const times = draft.times ?? above;
  const shown = children.filter(child => chosen.has(child));
  const leftOut = children.reduce((sum, child) => sum + (chosen.has(child) ? 0 : countParts(child)), 0);
  return {
    id,
    kind,
    title,
    status,
    at: times?.at ?? 0,
    until: times?.until ?? 0,
    pieces: times?.pieces ?? 0,
    ticks: [...(times?.ticks ?? [])],
    ...(text === undefined ? {} : { text }),
    ...(medium && { medium }),
    ...(callId === undefined ? {} : { callId }),
    notes: leftOut === 0 ? notes : [...notes, describeLeftOut(leftOut)],
    children: shown.map(child => finish(child, `${id}/${child.key}`, chosen, times)),
  };
}

/** A note with the number of omitted parts. */
export function describeLeftOut(count: number): string {
  return `${countOf(count, 'more part is', 'more parts are')} not shown: at most ${MAX_PARTS} of a reply are`;
}
