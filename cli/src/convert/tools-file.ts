import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { readJsonPieces } from '../../../language/values/json-reader.ts';
import { readMessages } from '../../../protocols/convert/read-text.ts';
import { Report } from '../../../core/message/report.ts';
import { declaredTools } from '../../../protocols/tools/tool-schema.ts';
import type { ToolTable } from '../../../language/tools.ts';
import { message } from '../../../core/message/message.ts';
import {
  dictValue,
  findEntry,
  listValue,
  textValue,
  type ListValue,
  type Value,
} from '../../../core/values/value.ts';
import { UsageError } from '../exit.ts';
import { readBytes } from '../files.ts';
import type { Terminal } from '../terminal.ts';
import { decodeUtf8 } from '../utf8.ts';

/**
 * Reads tools from a file that contains `TOOL` lines, replies to `tools/list`, a JSON list of tools, or a
 * JSON object of tools by name. Throws a UsageError if the file cannot be opened or has no tools.
 */
export async function readToolsFile(terminal: Terminal, name: string): Promise<ToolTable> {
  const decoded = decodeUtf8(await readBytes(terminal, name));
  if (!decoded.ok) throw new UsageError(`'${name}' is not UTF-8 from byte ${decoded.badByte} on`);
  const { tools } = readMessages(decoded.text, { protocols: ALL_PROTOCOLS, report: new Report() });
  if (hasDeclaration(tools)) return tools;
  const lists = readJsonPieces(decoded.text).pieces.map(({ value }) => toolList(value));
  const plain = declaredTools(lists.map(list => message('result', { tools: list })));
  if (hasDeclaration(plain)) return plain;
  throw new UsageError(
    `There is no tool in '${name}': write TOOL lines, the result of tools/list, or {"name": {"inputSchema": …}}`,
  );
}

function hasDeclaration({ tools }: ToolTable): boolean {
  return [...tools.values()].some(Boolean);
}

function toolList(value: Value): ListValue {
  if (value.kind === 'list') return value;
  const listed = findEntry(value, 'tools');
  if (listed) return toolList(listed);
  if (value.kind !== 'dict') return listValue([]);
  return listValue(
    value.entries.map(({ key, value: tool }) =>
      dictValue([
        { key: 'name', value: textValue(key) },
        ...(tool.kind === 'dict' ? tool.entries.filter(entry => entry.key !== 'name') : []),
      ]),
    ),
  );
}
