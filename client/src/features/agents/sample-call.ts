import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import type { ToolInfo } from '../../services/agent-service.ts';
import type { ArgumentDeclaration, ToolTable } from '../../../../language/tools.ts';
import type { ConversionName } from '../../../../core/catalog/conversions.ts';
import type { ProtocolName } from '../../../../core/catalog/protocols.ts';
import { writeToolCall } from '../../forms/tool-request.ts';

/** A sample call of a tool in a protocol, with a placeholder for each required argument. */
export function writeSampleCall(tool: ToolInfo, to: ConversionName): string {
  const { declaration, name } = tool;
  const needed = declaration?.arguments.filter(argument => !argument.isOptional) ?? [];
  const given = Object.fromEntries(needed.map(argument => [argument.name, sampleOf(argument)]));
  const tools: ToolTable = { isComplete: false, tools: new Map([[name, declaration]]) };
  return writeToolCall(name, JSON.stringify(given), to, tools);
}

/** The JSON-RPC form for an agent of a protocol: its own if it is based on JSON-RPC, else plain JSON-RPC. */
export function jsonRpcOf(protocol: ProtocolName): ConversionName {
  return ALL_PROTOCOLS.find(protocol)?.isRpc ? protocol : 'json-rpc';
}

function sampleOf({ name, type, values }: ArgumentDeclaration): unknown {
  if (values?.[0] !== undefined) return values[0];
  switch (type) {
    case 'number':
    case 'integer':
      return 0;
    case 'boolean':
      return false;
    case 'object':
      return {};
    case 'array':
      return [];
    case 'string':
    case 'any':
      return name;
  }
}
