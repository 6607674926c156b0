import type { LanguageId } from '../../../core/catalog/languages.ts';
import { convertText } from '../../../protocols/convert/convert.ts';
import type { ToolTable } from '../../../language/tools.ts';

/**
 * The call of a tool in one of our languages; `json` are its arguments as the text of a JSON object. What cannot be
 * written in that language is left to the notes of the conversion: AICL can write all of it.
 */
export function writeToolCall(tool: string, json: string, language: LanguageId, tools: ToolTable): string {
  // A request of MCP's is the plain form of a call; each number keeps its digits on the way.
  const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":${JSON.stringify(tool)},"arguments":${json}}}`;
  return convertText(call, { from: 'mcp', to: language, layout: 'pretty', tools }).text.trim();
}
