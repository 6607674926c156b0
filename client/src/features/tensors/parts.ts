import type { Shared } from '../feature.ts';
import type { Inspectors } from './inspectors.ts';

/** What the commands of this feature use. */
export interface TensorsParts extends Shared {
  readonly inspectors: Inspectors;
}
