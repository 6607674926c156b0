import type { PairNode } from '../ast.ts';
import type { Children } from '../children.ts';
import { parseAicl, readUnit } from '../parse.ts';
import { Scanner } from '../scanner.ts';
import { pairsOf } from '../summary.ts';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';

/** The pairs of a message, and whether the grammar accepts it; of one that it refuses, those that recovery finds. */
export function readAiclPairs(message: string): {
  readonly pairs: Children<PairNode>;
  readonly isValid: boolean;
} {
  const tree = new Scanner(message, { count: 0 }).accept(0)?.tree;
  if (tree) return { pairs: pairsOf({ tree }), isValid: tree.kind === 'message' };
  const doc = parseAicl(message, DEFAULT_SETTINGS, () => []);
  const unit = doc.units.at(0);
  return { pairs: pairsOf({ tree: unit && readUnit(doc, unit).tree }), isValid: false };
}
