import type { Shared } from '../feature.ts';
import type { CostDocument } from './cost-document.ts';

/** What the commands of this feature use. */
export interface CostParts extends Shared {
  readonly cost: CostDocument;
}
