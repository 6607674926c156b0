import { findEscapes } from '../../language/aicl/escapes.ts';
import type { WireListener } from '../connection.ts';

const NOTE =
  'A text of the message holds a bracket, which is sent as \\u005D: an agent that keeps to the whitepaper of LightAICL shows these six letters. This is noted once for an agent';

/** Notes for an agent, once, that it may not read the escape of brackets (reading of LightAICL, section 1.2). */
export class EscapeNote {
  #isTold = false;

  tell(wireText: string, listener: WireListener): void {
    if (this.#isTold || !wireText.includes('\\u00')) return;
    for (const { character } of findEscapes(wireText)) {
      if (character !== ']') continue;
      this.#isTold = true;
      listener.note(NOTE);
      return;
    }
  }
}
