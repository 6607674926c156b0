import { unescapeText } from '../../aicl/escapes.ts';
import type { PairNode } from '../../aicl/ast.ts';
import type { Children } from '../../aicl/children.ts';
import { quote } from '../../text/quote.ts';
import type { UnitReport } from './report.ts';

/** Every key of a dictionary stands once; keys compare as the texts that they mean. */
export function checkDuplicateKeys(report: UnitReport, pairs: Children<PairNode>): void {
  if (pairs.length < 2) return;
  const seen = new Set<string>();
  for (const { key } of pairs) {
    const name = unescapeText(report.source(key));
    if (seen.has(name)) {
      report.add(
        'aicl/duplicate-key',
        key,
        `The key ${quote(name)} stands twice in this dictionary: rename or remove one`,
      );
    }
    seen.add(name);
  }
}
