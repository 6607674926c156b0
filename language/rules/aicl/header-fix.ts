import { CONTENT_START, type PairNode, type Children } from '../../aicl/ast.ts';
import type { KnownFields } from '../../aicl/known-fields.ts';
import { HEADER_FIELDS } from '../../../core/catalog/aicl.ts';
import type { TextEdit } from '../../../core/text/edit.ts';
import { writeFields } from './new-fields.ts';
import type { UnitReport } from './report.ts';

/**
 * The edits that put a complete header before the other pairs: present fields are moved, missing ones are written,
 * everything else stays. Undefined if a header field is repeated, because the intended one is unknown.
 */
export function headerEdits(
  report: UnitReport,
  pairs: Children<PairNode>,
  fields: KnownFields,
): readonly TextEdit[] | undefined {
  const present = HEADER_FIELDS.flatMap(row => fields.get(row.key) ?? []);
  if (present.length !== fields.headerCount) return undefined;
  const header = HEADER_FIELDS.map(row => {
    const pair = fields.get(row.key);
    return pair ? report.slice(pair) : (writeFields(report, fields, [row])[0] ?? '');
  });
  const [first, second] = [pairs.at(0), pairs.at(1)];
  const between = first && second ? report.slice({ start: first.end, end: second.start }) : ',';
  const isAll = pairs.length === present.length;
  const at = first?.start ?? CONTENT_START;
  const newText = header.join(between) + (isAll ? '' : between);
  return [{ span: { start: at, end: at }, newText }, ...removals(pairs, new Set(present))];
}

/**
 * Removes pairs: each run of them with the comma before the next remaining pair, or else the comma after the
 * previous one.
 */
function removals(pairs: Children<PairNode>, taken: ReadonlySet<PairNode>): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  let left = taken.size;
  let cached: PairNode | undefined;
  let runStart: PairNode | undefined;
  let last: PairNode | undefined;
  for (const pair of pairs) {
    if (left === 0 && !runStart) break;
    if (taken.has(pair)) {
      runStart ??= pair;
      left--;
    } else {
      if (runStart) edits.push({ span: { start: runStart.start, end: pair.start }, newText: '' });
      runStart = undefined;
      cached = pair;
    }
    last = pair;
  }
  if (runStart && last)
    edits.push({ span: { start: cached?.end ?? runStart.start, end: last.end }, newText: '' });
  return edits;
}
