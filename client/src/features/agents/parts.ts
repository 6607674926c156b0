import type { Shared } from '../feature.ts';
import type { CallForms } from './call-forms.ts';

/** What the commands of this feature use. */
export interface AgentsParts extends Shared {
  readonly callForms: CallForms;
}
