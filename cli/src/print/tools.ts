import type { OfferedTool } from '../../../agents/offer/offer.ts';
import { printForAgent } from '../../../protocols/convert/calls/agent-json.ts';
import { readWrittenJson } from '../../../language/values/json-reader.ts';
import type { ArgumentDeclaration } from '../../../language/tools.ts';
import { showSignature } from '../../../language/tool-words.ts';
import { showInvisible, showOnOneLine } from '../../../core/text/quote.ts';
import {
  boolValue,
  dictValue,
  listValue,
  textValue,
  type DictValue,
  type Value,
} from '../../../core/values/value.ts';

/** Tools for people, with what would steer a terminal made visible: a line each, `math.add (a: number, b?: number)`, and below it what the agent says of it. */
export function printTools(tools: readonly OfferedTool[]): string {
  return tools
    .map(({ name, description, declaration }) => {
      const lines = description === '' ? [] : description.trimEnd().split(/\r\n|\r|\n/);
      const said = lines.map(line => (line === '' ? '\n' : `  ${line}\n`)).join('');
      return `${showOnOneLine(declaration ? showSignature(declaration) : name)}\n${showInvisible(said)}`;
    })
    .join('');
}

/**
 * Tools as one JSON document: `[{name, description, schema}]`, where `schema` is what the agent gave, with all digits of
 * its numbers. Where it declares arguments without a JSON Schema, as AICF does, they are `[{name, type, optional}]` in
 * `arguments` instead; one that says nothing of them has neither.
 */
export function printToolsJson(tools: readonly OfferedTool[]): string {
  return `${printForAgent(listValue(tools.map(toValue)), undefined, 'pretty')}\n`;
}

function toValue({ name, description, schema, declaration }: OfferedTool): DictValue {
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
