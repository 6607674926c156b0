import type { PairNode } from '../ast.ts';
import type { Children } from '../children.ts';
import { parseAicl, readUnit } from '../parse.ts';
import { Scanner } from '../scanner.ts';
import { pairsOf } from '../summary.ts';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';

/** The pairs of a message; of one that the grammar refuses those that recovery finds, and what is wrong with it. */
export function readAiclPairs(message: string): {
  readonly pairs: Children<PairNode>;
  /** A sentence without its end; undefined for a message that the grammar accepts. */
  readonly fault: string | undefined;
} {
  const accepted = new Scanner(message, { count: 0 }).accept(0);
  if (accepted?.end === message.length && accepted.tree.kind === 'message')
    return { pairs: pairsOf(accepted), fault: undefined };
  const doc = parseAicl(message, DEFAULT_SETTINGS, () => []);
  const unit = doc.units.at(0);
  const reading = unit && readUnit(doc, unit);
  return { pairs: pairsOf({ tree: reading?.tree }), fault: reading?.faults[0]?.message ?? NO_MESSAGE };
}

const NO_MESSAGE = 'It is a value and no message';
