import { PLAIN_JSON } from '../../core/catalog/conversions.ts';
import type { Value } from '../../core/values/value.ts';
import { jsonShape } from '../json/shape.ts';
import type { ProtocolShape } from '../message/shape.ts';
import type { MessageProtocols } from '../protocol.ts';
import { recogniseValue, type TextLayerName } from '../recognise/detect.ts';

/** The shape of a protocol's messages, or of plain JSON; undefined for a protocol whose messages are lines of text. */
export function shapeOf(protocols: MessageProtocols, name: string): ProtocolShape | undefined {
  return name === PLAIN_JSON.name ? jsonShape : protocols.find(name)?.shape;
}

/**
 * The protocol of a JSON value; undefined for a value that is no message. A reply of JSON-RPC belongs to the
 * protocol of the message `before` it, because its members seldom identify it.
 */
export function recognise(
  protocols: MessageProtocols,
  value: Value,
  before: string | undefined,
): string | undefined {
  if (jsonShape.recognises(value)) return PLAIN_JSON.name;
  return recogniseValue(protocols, value, protocols.find(before))?.facts.name;
}

/** The language of texts in a format. */
export function layerOf(protocols: MessageProtocols, name: string): TextLayerName {
  return protocols.format(name)?.language ?? 'json';
}

/** The title of a format. */
export function titleOf(protocols: MessageProtocols, name: string | undefined): string {
  return protocols.format(name)?.title ?? 'a known protocol';
}
