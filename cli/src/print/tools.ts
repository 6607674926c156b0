import type { DescribedTool } from '../../../agents/capabilities/fetch-tools.ts';
import { printForAgent } from '../../../protocols/convert/calls/agent-json.ts';
import { readWrittenJson } from '../../../language/values/json-reader.ts';
import { type ArgumentDeclaration, showSignature } from '../../../language/tools.ts';
import { showInvisible, showOnOneLine } from '../../../core/text/quote.ts';
import {
  boolValue,
  dictValue,
  listValue,
  textValue,
  type DictValue,
  type Value,
} from '../../../core/values/value.ts';

/**
 * Prints tools for people: one line per tool, `math.add (a: number, b?: number)`, followed by its
 * description. Control characters are made visible.
 */
export function printTools(tools: readonly DescribedTool[]): string {
  return tools
    .map(({ name, description, declaration }) => {
      const lines = description === '' ? [] : description.trimEnd().split(/\r\n|\r|\n/);
      const content = lines.map(line => (line === '' ? '\n' : `  ${line}\n`)).join('');
      return `${showOnOneLine(declaration ? showSignature(declaration) : name)}\n${showInvisible(content)}`;
    })
    .join('');
}

/**
 * Prints tools as one JSON document, `[{name, description, schema}]`. `schema` is the JSON Schema that the
 * agent sent, with all digits of its numbers. If an agent declares arguments in another form, as AICF does,
 * `arguments` is a list of `{name, type, optional}` instead. Without any declaration both are absent.
 */
export function printToolsJson(tools: readonly DescribedTool[]): string {
  return `${printForAgent(listValue(tools.map(toValue)), undefined, 'pretty')}\n`;
}

function toValue({ name, description, schema, declaration }: DescribedTool): DictValue {
  return dictValue([
    { key: 'name', value: textValue(name) },
    { key: 'description', value: textValue(description) },
    {
      key: 'schema',
      value: schema === undefined ? undefined : (readWrittenJson(schema) ?? textValue(schema)),
    },
    {
      key: 'arguments',
      value:
        schema === undefined && declaration ? listValue(declaration.arguments.map(toArgument)) : undefined,
    },
  ]);
}

function toArgument({ name, type, isOptional }: ArgumentDeclaration): Value {
  return dictValue([
    { key: 'name', value: textValue(name) },
    { key: 'type', value: textValue(type) },
    { key: 'optional', value: boolValue(isOptional) },
  ]);
}
