import { textOf, type PairNode, type Children } from '../../aicl/ast.ts';
import { HEADER_FIELDS } from '../../../core/catalog/aicl.ts';
import { replaceFix } from '../../fix.ts';
import type { Fix } from '../../../core/text/issue.ts';
import { quote } from '../../../core/text/quote.ts';
import type { UnitReport } from './report.ts';

/** Decoded keys must be unique in their dictionary. */
export function checkDuplicateKeys(report: UnitReport, pairs: Children<PairNode>): void {
  if (pairs.length < 2 || areFewAndUnique(report, pairs)) return;
  const seen = new Map<string, number>();
  let index = 0;
  for (const { key } of pairs) {
    const name = textOf(report.reading.text, report.reading.base, key);
    const earlier = seen.get(name);
    if (earlier !== undefined) reportDuplicate(report, pairs, earlier, index);
    seen.set(name, index++);
  }
}

/** The number of keys that are compared one by one, which is faster for most dictionaries. */
const FEW = 12;

function areFewAndUnique({ reading }: UnitReport, pairs: Children<PairNode>): boolean {
  if (pairs.length > FEW) return false;
  const names: string[] = [];
  for (const { key } of pairs) {
    const name = textOf(reading.text, reading.base, key);
    if (names.includes(name)) return false;
    names.push(name);
  }
  return true;
}

function reportDuplicate(
  report: UnitReport,
  pairs: Children<PairNode>,
  earlier: number,
  later: number,
): void {
  const [pair, other] = [pairs.at(later), pairs.at(earlier)];
  if (!pair || !other) return;
  const name = textOf(report.reading.text, report.reading.base, pair.key);
  report.add(
    'aicl/duplicate-key',
    pair.key,
    `The key ${quote(name)} occurs twice in this dictionary: rename or remove one`,
    report.reading.faults.length === 0 ? removeFixes(pairs, earlier, later, name) : [],
    [{ span: { start: other.key.start, end: other.key.end }, message: 'It occurs here first' }],
  );
}

/** Fixes that remove either pair, because the intended one is unknown. A header field stays at its first position. */
function removeFixes(
  pairs: Children<PairNode>,
  earlier: number,
  later: number,
  name: string,
): readonly Fix[] {
  const [first, next] = [pairs.at(earlier), pairs.at(earlier + 1)];
  const [before, last] = [pairs.at(later - 1), pairs.at(later)];
  if (!first || !next || !before || !last) return [];
  const removeLast = { start: before.end, end: last.end };
  const removeFirst = { start: first.start, end: next.start };
  return [
    replaceFix('Remove this pair', removeLast, '', { safe: false }),
    ...(HEADER_FIELDS.some(row => row.key === name)
      ? []
      : [replaceFix('Remove the earlier pair', removeFirst, '', { safe: false })]),
  ];
}
