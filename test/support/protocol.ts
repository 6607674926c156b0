import { ALL_PROTOCOLS } from '../../protocols/all.ts';
import type { Protocol } from '../../protocols/protocol.ts';

/** The protocol of a name that exists. */
export function protocolOf(name: string): Protocol {
  const found = ALL_PROTOCOLS.find(name);
  if (!found) throw new Error(`There is no protocol ${name}`);
  return found;
}
