import type { Characters } from '../core/text/source-text.ts';
import type { TextEdit } from '../core/text/edit.ts';
import type { Span } from '../core/text/span.ts';
import { encodeBase85, visitGroups } from './base85.ts';

/** Bytes of a bool tensor that are neither 0 nor 1: true, but not as an encoder writes it. */
export interface OddBools {
  readonly count: number;
  /** The group that holds the first of them. */
  readonly first: Span;
  /** Writes 1 for them; undefined where there are more than a fix should hold. */
  readonly edits: readonly TextEdit[] | undefined;
}

/** So many groups are mended by one fix. */
const MAX_EDITS = 1_000;
/** The bits that 0 and 1 leave free, in the four bytes of a group. */
const ODD_BITS = 0xfefe_fefe;

/** Looks at a sound payload group by group, without decoding it whole; undefined where all bytes are 0 or 1. */
export function findOddBools(text: Characters, start: number, end: number): OddBools | undefined {
  const edits: TextEdit[] = [];
  let groups = 0;
  let count = 0;
  visitGroups(text, start, end, ODD_BITS, (group, bytes, _, from, to) => {
    if ((group & ODD_BITS) === 0) return;
    const values = toBytes(group, bytes);
    const odd = values.filter(value => value > 1).length;
    if (odd === 0) return;
    count += odd;
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
