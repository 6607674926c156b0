import type { ConversionName } from '../../core/catalog/conversions.ts';
import { a2aShape } from '../a2a/shape.ts';
import { agentApiShape } from '../agent-api/shape.ts';
import { aiclShape } from '../aicl/shape.ts';
import { aioShape } from '../aio/shape.ts';
import { jsonRpcShape } from '../json-rpc/shape.ts';
import { jsonShape } from '../json/shape.ts';
import { mcpShape } from '../mcp/shape.ts';
import { responsesShape } from '../responses/shape.ts';
import type { ProtocolShape } from '../message/shape.ts';
import type { Value } from '../../core/values/value.ts';

/** The protocols whose messages are values. AICF is not among them: its fields are texts. */
export type ShapedName = Exclude<ConversionName, 'aicf'>;

export const SHAPES: Readonly<Record<ShapedName, ProtocolShape>> = {
  json: jsonShape,
  aicl: aiclShape,
  aio: aioShape,
  a2a: a2aShape,
  mcp: mcpShape,
  responses: responsesShape,
  'agent-api': agentApiShape,
  'json-rpc': jsonRpcShape,
};

/** Protocols of JSON in the order in which they are asked whether a value is theirs: the plainest is last. */
const ORDER: readonly ShapedName[] = [
  'json',
  'aio',
  'a2a',
  'mcp',
  'responses',
  'agent-api',
  'json-rpc',
  'aicl',
];

/** Protocols over JSON-RPC, whose replies look alike. */
const OVER_JSON_RPC: ReadonlySet<ShapedName> = new Set(['json-rpc', 'aio', 'a2a', 'mcp']);

/**
 * The protocol that a value of JSON is a message of; undefined for one of none. A reply over JSON-RPC belongs to the
 * protocol of the message before it, because its members seldom tell.
 */
export function recognise(value: Value, before: ShapedName | undefined): ShapedName | undefined {
  const found = ORDER.find(name => SHAPES[name].recognises(value));
  if (!found || !before || !OVER_JSON_RPC.has(before) || value.kind !== 'dict') return found;
  const isReply = OVER_JSON_RPC.has(found) && !value.entries.some(({ key }) => key === 'method');
  return isReply ? before : found;
}
