import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import type { ConversionName } from '../../../core/catalog/conversions.ts';
import { convertText } from '../../../protocols/convert/convert.ts';
import type { ToolTable } from '../../../language/tools.ts';

/**
 * Writes the call of a tool in a protocol; `json` is the JSON text of its arguments object. AICL can
 * represent all arguments; losses in other languages are in the notes of the conversion.
 */
export function writeToolCall(tool: string, json: string, to: ConversionName, tools: ToolTable): string {
  // An MCP request is converted, so that numbers keep their digits.
  const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":${JSON.stringify(tool)},"arguments":${json}}}`;
  return convertText(call, {
    protocols: ALL_PROTOCOLS,
    from: 'mcp',
    to,
    layout: 'pretty',
    tools,
  }).text.trim();
}
