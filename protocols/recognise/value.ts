import { findEntry, type Value } from '../../core/values/value.ts';
import { jsonShape } from '../json/shape.ts';
import type { ProtocolMessages, Protocols } from '../protocol.ts';

/**
 * The protocol of a value; undefined for a value that is no message. A JSON-RPC reply belongs to the protocol
 * of the message `before` it, because its members seldom identify it.
 */
export function recogniseValue<Known extends ProtocolMessages>(
  protocols: Protocols<Known>,
  value: Value,
  before: Known | undefined,
): Known | undefined {
  if (jsonShape.recognises(value)) return undefined;
  const found = protocols.byOrder.find(({ shape }) => shape?.recognises(value));
  if (!found?.isRpc || !before?.isRpc || value.kind !== 'dict') return found;
  return findEntry(value, 'method') ? found : before;
}
