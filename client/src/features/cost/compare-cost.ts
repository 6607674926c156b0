import { COST_SCHEME } from './cost-document.ts';
import { CostSource } from './cost-source.ts';
import { showWarning } from '../../window/messages.ts';
import { findConvertTarget } from '../../targets/convert-target.ts';
import type { Command } from '../feature.ts';
import type { CostParts } from './parts.ts';

/**
 * Compares the cost of messages in every protocol, in a document beside. The messages are named by the
 * arguments (a document and a position, a range or `file`), else the selection, else the message at the
 * cursor, else the file. Returns the table, or why there is none.
 */
export const compareCost: Command<CostParts> = async (services, args) => {
  const target = await findConvertTarget(services, args);
  // In the cost document itself, its source is compared again, not its own text.
  if (target?.document.uri.scheme === COST_SCHEME) return services.cost.again();
  if (target) return services.cost.show(new CostSource(target.document, target.range));
  return showWarning('There is no message here. Open a file with messages, and put the cursor on one.');
};
