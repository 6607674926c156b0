import type { ToolInfo } from './agent-service.ts';
import type { ArgumentDeclaration, ToolTable } from '../../language/tools.ts';
import type { ConversionName } from '../../core/catalog/conversions.ts';
import type { ProtocolName } from '../../core/catalog/protocols.ts';
import { convertText } from '../../protocols/convert/convert.ts';

/** A call of a tool with a value in the place of each argument that it needs, in a protocol. */
export function writeSampleCall(tool: ToolInfo, to: ConversionName): string {
  const { declaration, name } = tool;
  const needed = declaration?.arguments.filter(argument => !argument.isOptional) ?? [];
  const given = Object.fromEntries(needed.map(argument => [argument.name, sampleOf(argument)]));
  const request = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: given },
  };
  const tools: ToolTable = { isComplete: false, tools: new Map([[name, declaration]]) };
  return convertText(JSON.stringify(request), { from: 'mcp', to, layout: 'pretty', tools }).text.trim();
}

/** The form of JSON-RPC in which an agent of a protocol is called: its own where it is one, else that of AIP. */
export function jsonRpcOf(protocol: ProtocolName): ConversionName {
  return OWN_FORMS.has(protocol) ? protocol : 'json-rpc';
}

const OWN_FORMS: ReadonlySet<ProtocolName> = new Set(['mcp', 'aio', 'a2a']);

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
