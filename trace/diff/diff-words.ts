import { showOnOneLine } from '../../core/text/quote.ts';
import { kindOf, type CallChange, type CallDiff, type TraceDiff } from './diff.ts';
import { formatDuration } from '../words.ts';

/** The maximum depth that is indented. */
const DEEPEST_INDENT = 20;

/** The kinds of differences: a sign for lists and a word. */
const KINDS = {
  same: { sign: ' ', word: 'same' },
  changed: { sign: '~', word: 'changed' },
  added: { sign: '+', word: 'only in the second' },
  removed: { sign: '-', word: 'only in the first' },
} as const satisfies Record<keyof TraceDiff['counts'], { sign: string; word: string }>;

const CHANGES = {
  input: 'another request',
  output: 'another reply',
  status: 'another outcome',
  moved: 'moved',
} as const satisfies Record<CallChange, string>;

/** Prints a difference: a line for each call, indented by its depth, with `+`, `-` or `~` before those that differ. */
export function* printDiff({ roots, counts }: TraceDiff): Generator<string, void> {
  const open = roots.map(diff => ({ diff, depth: 0 })).reverse();
  for (let next = open.pop(); next; next = open.pop()) {
    const { diff, depth } = next;
    yield `${KINDS[kindOf(diff)].sign} ${'  '.repeat(Math.min(depth, DEEPEST_INDENT))}${showOnOneLine(describeDiff(diff))}`;
    for (let at = diff.children.length - 1; at >= 0; at--) {
      const child = diff.children[at];
      if (child) open.push({ diff: child, depth: depth + 1 });
    }
  }
  yield describeCounts(counts);
}

/** Describes a call of a difference in a line: its agent and title, its changes, and its times. */
export function describeDiff(diff: CallDiff): string {
  const { before, after, changes } = diff;
  const call = (after ?? before)?.call;
  const what = `${call?.agent ?? ''}  ${call?.title ?? ''}`;
  if (!before || !after) return `${what}  (${KINDS[kindOf(diff)].word})`;
  const words = changes.map(change => {
    const outcome = change === 'status' && ` (${outcomeOf(before)} → ${outcomeOf(after)})`;
    return `${CHANGES[change]}${outcome === false ? '' : outcome}`;
  });
  const times = [before.duration, after.duration].map(time =>
    time === undefined ? '…' : formatDuration(time),
  );
  const time = times[0] === times[1] ? (times[0] ?? '') : times.join(' → ');
  return [what, words.join(', '), time].filter(Boolean).join('  ');
}

/** `2 calls differ of 9: 1 changed, 1 only in the second`. */
export function describeCounts(counts: TraceDiff['counts']): string {
  const differing = (['changed', 'added', 'removed'] as const).filter(kind => counts[kind] > 0);
  const all = counts.same + counts.changed + counts.added + counts.removed;
  const number = all === 1 ? '1 call' : `${all} calls`;
  if (differing.length === 0) return `The traces are the same: ${number}`;
  const count = differing.reduce((sum, kind) => sum + counts[kind], 0);
  return `${count} of ${number} ${count === 1 ? 'differs' : 'differ'}: ${differing.map(kind => `${counts[kind]} ${KINDS[kind].word}`).join(', ')}`;
}

function outcomeOf({ status, code }: { readonly status: string; readonly code: string | undefined }): string {
  return code === undefined ? status : `${status} ${code}`;
}
