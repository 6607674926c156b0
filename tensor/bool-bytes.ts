import type { Characters } from '../core/text/source-text.ts';
import type { TextEdit } from '../core/text/edit.ts';
import type { Span } from '../core/text/span.ts';
import { encodeBase85 } from './base85.ts';
import { Payload } from './payload.ts';

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

/** Searches a payload; undefined if all bytes are 0 or 1. */
export function findUnexpectedBools(text: Characters, from: number, to: number): UnexpectedBools | undefined {
  const payload = Payload.of(text, { start: from, end: to });
  const bytes = payload?.read(0, payload.byteLength) ?? new Uint8Array(0);
  const edits: TextEdit[] = [];
  let [groups, count, groupEnd] = [0, 0, 0];
  for (let at = 0; payload && at < bytes.length; at++) {
    if ((bytes[at] ?? 0) <= 1) continue;
    count++;
    if (at < groupEnd) continue;
    const start = at - (at % 4);
    groupEnd = start + 4;
    if (groups++ >= MAX_EDITS) continue;
    const written = bytes.subarray(start, groupEnd).map(value => Math.min(value, 1));
    edits.push({ span: payload.groupSpan(start), newText: encodeBase85(written) });
  }
  const [first] = edits;
  return first && { count, first: first.span, edits: groups > MAX_EDITS ? undefined : edits };
}
