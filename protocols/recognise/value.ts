import { findEntry, type Value } from '../../core/values/value.ts';
import { jsonShape } from '../json/shape.ts';
import type { Protocol, Protocols } from '../protocol.ts';

/**
 * The protocol that a value is a message of; undefined for one of none. A JSON-RPC reply belongs to the protocol of the message
 * `before` it, because its members seldom tell.
 */
export function recogniseValue(
  protocols: Protocols,
  value: Value,
  before: Protocol | undefined,
): Protocol | undefined {
  if (jsonShape.recognises(value)) return undefined;
  const found = protocols.byOrder.find(({ shape }) => shape?.recognises(value));
  if (!found?.requests.isRpc || !before?.requests.isRpc || value.kind !== 'dict') return found;
  return findEntry(value, 'method') ? found : before;
}
