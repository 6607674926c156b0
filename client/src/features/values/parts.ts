import type { Shared } from '../feature.ts';
import type { TextFiles } from './text-files.ts';

/** What the commands of this feature use. */
export interface ValuesParts extends Shared {
  readonly texts: TextFiles;
}
