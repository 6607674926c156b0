import type { ToolTable } from '../../../language/tools.ts';
import { message, type Message } from '../../../core/message/message.ts';
import type { DictValue, Value } from '../../../core/values/value.ts';
import { looksLikeJson } from '../../../language/aicf/json-field.ts';
import { readStrictJson } from '../../../language/values/json-reader.ts';
import { findTool, hasNames } from '../../tools/arguments.ts';

/**
 * Converts a call of AICF for an agent of a protocol with named arguments: one field that is a JSON object becomes the
 * arguments by name, `CALL|getFile|{"fileKey":"abc"}`. If the tool is declared, at least one name must be an argument's
 * (others are then faults), and its first argument must not be an object itself. Any other message is unchanged.
 */
export function nameFromObject(asked: Message, tools: ToolTable): Message {
  const only = asked.kind === 'call' ? findOnly(asked.fields.arguments) : undefined;
  const named = only && readObject(only);
  if (!named) return asked;
  const tool = findTool(tools, asked.fields.tool);
  if (tool && tool.arguments.length > 0 && hasNames(tool)) {
    const names = new Set(tool.arguments.map(argument => argument.name));
    const [first] = tool.arguments;
    if (!named.entries.some(({ key }) => names.has(key)) || first?.type === 'object') return asked;
  }
  return message(asked.kind, { ...asked.fields, arguments: named });
}

function findOnly(given: Value | undefined): Value | undefined {
  if (given?.kind === 'list') return given.items.length === 1 ? given.items[0] : undefined;
  return given?.kind === 'dict' && given.entries.length === 1 ? given.entries[0]?.value : undefined;
}

function readObject(value: Value): DictValue | undefined {
  const read = value.kind === 'text' && looksLikeJson(value.text) ? readStrictJson(value.text)?.value : value;
  return read?.kind === 'dict' ? read : undefined;
}
