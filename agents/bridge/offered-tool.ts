import { dictValue, findEntry, textValue, type Value } from '../../core/values/value.ts';
import { toSchemaTool } from '../../protocols/tools/tool-schema.ts';
import type { CallRules } from '../../protocols/protocol.ts';
import { ANY_ARGUMENTS } from '../../protocols/serving/calls.ts';
import type { OfferedTool } from '../../protocols/serving/serving.ts';
import type { DescribedTool } from '../../language/tools.ts';

/** A tool with a JSON Schema, which agents of some protocols do not have. */
export function toOfferedTool(
  { name, description, value, inputSchema }: DescribedTool,
  { hidesRequired }: CallRules,
): OfferedTool {
  const declared = inputSchema ? value : toSchemaTool(value);
  const tool = hidesRequired && declared ? withoutRequired(declared) : declared;
  const schema = inputSchema ?? findEntry(tool, 'inputSchema') ?? ANY_ARGUMENTS;
  return { name, description, schema, value: tool ?? listedTool(name, description) };
}

/** A tool without the required arguments if that is all of them, which then does not say that they are. */
function withoutRequired(tool: Value): Value {
  const schema = findEntry(tool, 'inputSchema');
  const required = findEntry(schema, 'required');
  const properties = findEntry(schema, 'properties');
  if (tool.kind !== 'dict' || schema?.kind !== 'dict' || required?.kind !== 'list') return tool;
  if (properties?.kind !== 'dict' || properties.entries.length > required.items.length) return tool;
  const open = dictValue(schema.entries.filter(({ key }) => key !== 'required'));
  return dictValue(tool.entries.map(entry => (entry.value === schema ? { ...entry, value: open } : entry)));
}

/** A tool of which the agent gave no arguments, or arguments that a schema cannot describe. */
function listedTool(name: string, description: string): Value {
  return dictValue([
    { key: 'name', value: textValue(name) },
    { key: 'description', value: description === '' ? undefined : textValue(description) },
    { key: 'inputSchema', value: ANY_ARGUMENTS },
  ]);
}
