import { type ListedItem, type ArgumentDeclaration, showSignature } from '../../../language/tools.ts';
import type { DescribedTool } from '../../../language/tools.ts';
import { printForAgent } from '../../../language/values/json-printer.ts';
import { readWrittenJson } from '../../../language/values/json-reader.ts';
import { showInvisible, showOnOneLine } from '../../../core/text/quote.ts';
import {
  boolValue,
  dictValue,
  listValue,
  textValue,
  type DictValue,
  type Value,
} from '../../../core/values/value.ts';

/** What an agent lists. */
export interface Capabilities {
  readonly tools: readonly DescribedTool[];
  /** Resources, followed by templates of resources. */
  readonly resources: readonly ListedItem[];
  readonly prompts: readonly ListedItem[];
}

/**
 * Prints capabilities for people: one line each, `math.add (a: number, b?: number)`, followed by the
 * description. Control characters are made visible.
 */
export function printCapabilities({ tools, resources, prompts }: Capabilities): string {
  const signatures = tools.map(({ name, description, declaration }) =>
    printEntry(declaration ? showSignature(declaration) : name, description),
  );
  const items = [...resources, ...prompts].map(({ kind, name, description, detail }) => {
    const called = name === detail ? '' : name;
    const shown = kind === 'prompt' ? [name, detail] : [detail, called && `(${called})`];
    return printEntry([kind, ...shown].filter(Boolean).join(' '), description);
  });
  return [...signatures, ...items].join('');
}

function printEntry(title: string, description: string): string {
  const lines = description === '' ? [] : description.trimEnd().split(/\r\n|\r|\n/);
  const content = lines.map(line => (line === '' ? '\n' : `  ${line}\n`)).join('');
  return `${showOnOneLine(title)}\n${showInvisible(content)}`;
}

/**
 * Prints capabilities as one JSON document, `{"tools": [{name, description, schema}], …}`. `schema` is the JSON Schema
 * that the agent sent, with all digits of its numbers. If an agent declares arguments in another form, as AICF does,
 * `arguments` is a list of `{name, type, optional}` instead. Without any declaration both are absent. `resources`,
 * `templates` and `prompts` are absent if the agent lists none.
 */
export function printCapabilitiesJson({ tools, resources, prompts }: Capabilities): string {
  const listOf = (items: readonly ListedItem[]): Value | undefined =>
    items.length === 0 ? undefined : listValue(items.map(toItem));
  const all = dictValue([
    { key: 'tools', value: listValue(tools.map(toValue)) },
    { key: 'resources', value: listOf(resources.filter(({ kind }) => kind === 'resource')) },
    { key: 'templates', value: listOf(resources.filter(({ kind }) => kind === 'template')) },
    { key: 'prompts', value: listOf(prompts) },
  ]);
  return `${printForAgent(all, undefined, 'pretty')}\n`;
}

function toItem({ kind, name, description, detail, parameters }: ListedItem): Value {
  return dictValue([
    {
      key: kind === 'template' ? 'uriTemplate' : 'uri',
      value: kind === 'prompt' ? undefined : textValue(detail),
    },
    { key: 'name', value: textValue(name) },
    { key: 'description', value: textValue(description) },
    {
      key: 'arguments',
      value:
        kind === 'resource'
          ? undefined
          : listValue(
              parameters.map(parameter =>
                toArgument({ ...parameter, type: 'string', isOptional: !parameter.isRequired }),
              ),
            ),
    },
  ]);
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

function toArgument({
  name,
  type,
  isOptional,
}: Pick<ArgumentDeclaration, 'name' | 'type' | 'isOptional'>): Value {
  return dictValue([
    { key: 'name', value: textValue(name) },
    { key: 'type', value: textValue(type) },
    { key: 'optional', value: boolValue(isOptional) },
  ]);
}
