import type { Shared } from '../feature.ts';
import type { ConversionViews } from './conversion-views.ts';
import type { LastTarget } from './last-target.ts';

/** What the commands of this feature use. */
export interface ConvertParts extends Shared {
  readonly conversions: ConversionViews;
  readonly lastTarget: LastTarget;
}
