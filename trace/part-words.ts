import { countOf } from '../core/text/count.ts';
import type { TracePart } from '../protocols/reply-parts/part.ts';
import { STATUS_WORDS, formatDuration } from './words.ts';

/** Characters of a text that a row may show: more than fit. */
const LONGEST = 160;

/** What a part says in one line: its name, else how its text begins. */
export function titleOfPart({ title, text }: TracePart): string {
  return [title, text === undefined ? '' : firstWords(text)].filter(Boolean).join('  ');
}

/** How a part stands and how long it took to come: `310 ms`, `incomplete · 41 ms`. */
export function outcomeOfPart({ status, at, until }: TracePart): string {
  const time = until > at ? formatDuration(until - at) : '';
  return [status === 'ok' ? '' : STATUS_WORDS[status], time].filter(Boolean).join(' · ');
}

/** When a part came in words, times counted from a start: `came after 12 ms, in 310 ms, 4 pieces`. */
export function describePartTimes({ at, until, pieces }: TracePart, start: number): string {
  return [
    `came after ${formatDuration(at - start)}`,
    until > at ? `in ${formatDuration(until - at)}` : '',
    pieces > 1 ? countOf(pieces, 'piece') : '',
  ]
    .filter(Boolean)
    .join(', ');
}

function firstWords(text: string): string {
  return text.slice(0, LONGEST).replace(/\s+/g, ' ').trim();
}
