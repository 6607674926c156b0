import type { Shared } from '../feature.ts';
import type { RawReplies } from './raw-replies.ts';

/** What the commands of this feature use. */
export interface RepliesParts extends Shared {
  readonly raw: RawReplies;
}
