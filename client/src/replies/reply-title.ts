import { describeOutcome, type Outcome } from '../../../trace/words.ts';

const LONGEST = 60;

/** The title of a reply's tab: `math.add ok · 41 ms`, or `slow.count streaming, 3 chunks` while it grows. */
export function buildReplyTitle(title: string, node: Outcome): string {
  return `${toPathSegment(title)} ${toPathSegment(describeOutcome(node))}`;
}

/**
 * Makes a text a single path segment, because a tab shows the last segment and an agent's text may contain
 * anything.
 */
function toPathSegment(text: string): string {
  // Control characters, line breaks and direction marks would alter the displayed title.
  const visible = text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, ' ')
    .replace(/[\\/]/g, '∕')
    .trim();
  return visible.length > LONGEST ? `${[...visible].slice(0, LONGEST - 1).join('')}…` : visible;
}
