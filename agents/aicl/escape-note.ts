import { findEscapes } from '../../language/aicl/escapes.ts';
import type { WireListener } from '../connection.ts';

const NOTE =
  'A text of the message holds a bracket, which is sent as \\u005D: an agent that follows only the LightAICL whitepaper shows these six characters. This note appears once per agent';

/**
 * Adds a note, once per agent, that the agent may not read the escape of brackets (reading of LightAICL,
 * section 1.2).
 */
export class EscapeNote {
  #isNoted = false;

  report(wireText: string, listener: WireListener): void {
    if (this.#isNoted || !wireText.includes('\\u00')) return;
    for (const { character } of findEscapes(wireText)) {
      if (character !== ']') continue;
      this.#isNoted = true;
      listener.note(NOTE);
      return;
    }
  }
}
