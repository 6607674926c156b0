import { COST_SCHEME } from '../cost/cost-document.ts';
import { CostSource } from '../cost/cost-source.ts';
import { showWarning } from '../messages.ts';
import type { Command } from './command.ts';
import { findConvertTarget } from './convert-target.ts';

/**
 * Compares what messages cost in every protocol, in a document beside: those that arguments name by their document and a place in
 * it (a position, a range or `file`); else the selection, or the message at the cursor; else the file. Answers the table,
 * or why there is none.
 */
export const compareCost: Command = async (services, args) => {
  const target = await findConvertTarget(services, args);
  // Asked in the document itself, which would else compare what it says.
  if (target?.document.uri.scheme === COST_SCHEME) return services.cost.again();
  if (target) return services.cost.show(new CostSource(target.document, target.range));
  showWarning('No message stands there. Open a file with messages, and put the cursor on one.', new Map());
  return undefined;
};
