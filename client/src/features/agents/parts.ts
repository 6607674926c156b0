import type { Shared } from '../feature.ts';
import type { CallForms } from './call-forms.ts';

/** What the commands of this feature use. */
export interface AgentsParts extends Shared {
  readonly callForms: CallForms;
  /** Scrolls the Agents view to an agent. */
  reveal(agent: string): Promise<void>;
}
