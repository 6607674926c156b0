import { countOf } from '../../core/text/count.ts';
import type { CallStatus } from '../../core/events/events.ts';
import type { PartKind, TracePart } from './part.ts';
import type { PieceTimes } from './piece-times.ts';

/** A part as who reads a protocol tells it. */
export interface PartDraft {
  /** Tells it from the parts beside it. */
  readonly key: string;
  readonly kind: PartKind;
  readonly title?: string | undefined;
  readonly status: CallStatus;
  /** Without times of its own, those of the part that holds it. */
  readonly times: PieceTimes | undefined;
  readonly text?: string | undefined;
  readonly notes?: readonly string[] | undefined;
  readonly children?: readonly PartDraft[] | undefined;
}

/** So many parts of a reply are shown. */
export const MOST_PARTS = 1000;

/** In place of each part behind `MOST_PARTS` others of its level: it is only counted. */
export const UNSHOWN_PART: PartDraft = { key: '', kind: 'message', status: 'ok', times: undefined };

/**
 * The parts that drafts tell, the outer ones first, at most `MOST_PARTS` of them. What is left out is counted: of a part in
 * its notes, at the top in `leftOut`. Work: all drafts, once.
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
  for (let level = drafts; level.length > 0 && chosen.size < MOST_PARTS;) {
    const taken = level.slice(0, MOST_PARTS - chosen.size);
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
  const { kind, title = '', status, text, notes = [], children = [] } = draft;
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
    notes: leftOut === 0 ? notes : [...notes, sayLeftOut(leftOut)],
    children: shown.map(child => finish(child, `${id}/${child.key}`, chosen, times)),
  };
}

/** Says how many parts are not here. */
export function sayLeftOut(count: number): string {
  return `${countOf(count, 'more part is', 'more parts are')} not shown: at most ${MOST_PARTS} of a reply are`;
}
