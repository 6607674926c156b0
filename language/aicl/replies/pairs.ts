import type { PairNode, Children } from '../ast.ts';
import { parseAicl, readUnit } from '../parse.ts';
import { Scanner } from '../scanner.ts';
import { pairsOf } from '../summary.ts';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';

/** The pairs of a message; for an invalid message those that recovery finds, with the first fault. */
export function readAiclPairs(message: string): {
  readonly pairs: Children<PairNode>;
  /** A sentence without a full stop; undefined for a valid message. */
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
