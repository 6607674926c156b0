import type { Peer } from '../../../agents/connection.ts';

/** What the user sees of what an agent reports about itself. */
export function shownPeer(
  peer: Peer | undefined,
): Pick<Peer, 'version' | 'name' | 'capabilities'> | undefined {
  if (!peer) return undefined;
  const { product: _product, instructions: _instructions, methods: _methods, ...shown } = peer;
  return shown;
}
