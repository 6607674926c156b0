import type { Characters } from '../core/text/source-text.ts';
import type { TextEdit } from '../core/text/edit.ts';
import type { Span } from '../core/text/span.ts';
import { encodeBase85, visitGroups } from './base85.ts';

/** The bytes of a bool tensor that are neither 0 nor 1. They count as true, but encoders do not write them. */
export interface UnexpectedBools {
  readonly count: number;
  /** The span of the group that contains the first of them. */
  readonly first: Span;
  /** Replaces them by 1; undefined if there are too many for one fix. */
  readonly edits: readonly TextEdit[] | undefined;
}

/** The maximum number of groups that one fix replaces. */
const MAX_EDITS = 1_000;
/** The bits of the four bytes of a group that are zero in 0 and 1. */
const ODD_BITS = 0xfefe_fefe;

/** Searches a valid payload group by group, without decoding it as a whole; undefined if all bytes are 0 or 1. */
export function findUnexpectedBools(
  text: Characters,
  start: number,
  end: number,
): UnexpectedBools | undefined {
  const edits: TextEdit[] = [];
  let groups = 0;
  let count = 0;
  visitGroups(text, start, end, ODD_BITS, (group, bytes, _, from, to) => {
    if ((group & ODD_BITS) === 0) return;
    const values = toBytes(group, bytes);
    const unexpected = values.filter(value => value > 1).length;
    if (unexpected === 0) return;
    count += unexpected;
    if (groups++ >= MAX_EDITS) return;
    const newText = encodeBase85(Uint8Array.from(values, value => Math.min(value, 1)));
    edits.push({ span: { start: from, end: to }, newText });
  });
  const [first] = edits;
  return first && { count, first: first.span, edits: groups > MAX_EDITS ? undefined : edits };
}

function toBytes(group: number, count: number): readonly number[] {
  return [group >>> 24, (group >>> 16) & 255, (group >>> 8) & 255, group & 255].slice(0, count);
}
