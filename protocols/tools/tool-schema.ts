import { findArgumentType, type AicfTypeName } from '../../core/catalog/aicf.ts';
import type { ArgumentDeclaration, ToolDeclaration, ToolTable } from '../../language/tools.ts';
import { MAX_TOOLS } from '../../language/tools.ts';
import type { Message } from '../../core/message/message.ts';
import {
  boolValue,
  dictValue,
  findEntry,
  listValue,
  textIn,
  textValue,
  type DictValue,
  type Value,
} from '../../core/values/value.ts';
import { dictOf } from '../message/dicts.ts';
import { isSameValue } from '../message/same-value.ts';

/** True for an item of a list of tools: it has a name. */
export function isTool(value: Value): boolean {
  return textIn(findEntry(value, 'name')) !== undefined;
}

/** The declaration of an argument that AICF can express: its name, its type and whether it is optional. */
export interface SchemaArgument {
  readonly name: string;
  /** As written: `TOOL` lines may have unknown types. */
  readonly type: string;
  readonly isOptional: boolean;
}

/** The declaration of a tool as a neutral value: `{name, description, arguments: [{name, type, optional}]}`. */
export function declarationValue(
  name: string,
  description: string | undefined,
  declared: readonly SchemaArgument[],
): DictValue {
  return dictOf({
    name: textValue(name),
    description: description === undefined ? undefined : textValue(description),
    arguments: listValue(
      declared.map(argument =>
        dictOf({
          name: textValue(argument.name),
          type: textValue(argument.type),
          optional: boolValue(argument.isOptional),
        }),
      ),
    ),
  });
}

/** The arguments of a tool, from a declaration or a JSON Schema; undefined if it has neither. */
export function readArguments(tool: Value | undefined): readonly SchemaArgument[] | undefined {
  const declared = findEntry(tool, 'arguments');
  if (declared?.kind === 'list') return declared.items.map(readArgument);
  const schema = findSchema(tool);
  return schema && readSchema(schema);
}

function findSchema(tool: Value | undefined): Value | undefined {
  return findEntry(tool, 'inputSchema') ?? findEntry(tool, 'parameters') ?? findEntry(tool, 'input_schema');
}

function readArgument(value: Value): SchemaArgument {
  const optional = findEntry(value, 'optional');
  return {
    name: textIn(findEntry(value, 'name')) ?? textIn(value) ?? '',
    type: textIn(findEntry(value, 'type')) ?? 'any',
    isOptional: optional?.kind === 'bool' && optional.bool,
  };
}

/** The arguments of a JSON Schema in the order of its properties; undefined for a schema that is not of an object. */
function readSchema(schema: Value): readonly SchemaArgument[] | undefined {
  const properties = findEntry(schema, 'properties');
  if (properties && properties.kind !== 'dict') return undefined;
  if (!properties && textIn(findEntry(schema, 'type')) !== 'object') return undefined;
  const required = findEntry(schema, 'required');
  const names = new Set(required?.kind === 'list' ? required.items.map(textIn) : []);
  return (properties?.entries ?? []).map(({ key, value }) => ({
    name: key,
    type: schemaType(value),
    isOptional: !names.has(key),
  }));
}

/** The type of a property; `any` for several types, none, and those that AICF lacks. */
function schemaType(property: Value): AicfTypeName {
  const type = findEntry(property, 'type');
  const given = type?.kind === 'list' ? type.items.filter(item => textIn(item) !== 'null') : [type];
  const name = given.length === 1 ? textIn(given[0]) : undefined;
  return (name === undefined ? undefined : findArgumentType(name)?.name) ?? 'any';
}

/** The JSON Schema of arguments, in their order; undefined for unknown types or duplicate names. */
function writeSchema(declared: readonly SchemaArgument[]): DictValue | undefined {
  const isExpressible = declared.every(argument => findArgumentType(argument.type));
  if (!isExpressible || new Set(declared.map(argument => argument.name)).size < declared.length)
    return undefined;
  const required = declared.filter(argument => !argument.isOptional);
  const properties = declared.map(({ name, type }) => ({
    key: name,
    value: dictValue(type === ANY ? [] : [{ key: 'type', value: textValue(type) }]),
  }));
  return dictOf({
    type: textValue('object'),
    properties: dictValue(properties),
    required: listValue(required.map(argument => textValue(argument.name))),
  });
}

const ANY = 'any' satisfies AicfTypeName;

/** A declaration as MCP and AIP write tools, with a JSON Schema; undefined where a schema cannot express all of it. */
export function toSchemaTool(declaration: Value): DictValue | undefined {
  const declared = readArguments(declaration);
  const schema = declared && writeSchema(declared);
  if (!schema) return undefined;
  const name = textIn(findEntry(declaration, 'name')) ?? '';
  const description = textIn(findEntry(declaration, 'description'));
  if (!isSameValue(declaration, declarationValue(name, description, declared))) return undefined;
  return dictOf({
    name: textValue(name),
    description: description === undefined ? undefined : textValue(description),
    inputSchema: schema,
  });
}

/** The declaration of such a tool; undefined for a tool with more than a declaration can hold. */
export function fromSchemaTool(tool: Value): DictValue | undefined {
  const declared = readArguments(tool);
  if (!declared || findEntry(tool, 'arguments')) return undefined;
  const name = textIn(findEntry(tool, 'name')) ?? '';
  const declaration = declarationValue(name, textIn(findEntry(tool, 'description')), declared);
  const again = toSchemaTool(declaration);
  return again && isSameValue(again, tool) ? declaration : undefined;
}

const NOWHERE = { start: 0, end: 0 };

/** Reads the declaration in a tool value, like that of a `TOOL` line; undefined if it does not declare arguments. */
export function readDeclaration(tool: Value): ToolDeclaration | undefined {
  const name = textIn(findEntry(tool, 'name'));
  const declared = readArguments(tool);
  if (name === undefined || !declared) return undefined;
  const schema = findEntry(tool, 'arguments') ? undefined : findSchema(tool);
  const properties = findEntry(schema, 'properties');
  // A map, because a schema may have thousands of properties.
  const byName = new Map(
    properties?.kind === 'dict' ? properties.entries.map(({ key, value }) => [key, value]) : [],
  );
  const found = declared.map((argument): ArgumentDeclaration => ({
    name: argument.name,
    type: findArgumentType(argument.type)?.name ?? 'any',
    isOptional: argument.isOptional,
    typeSpan: undefined,
    span: NOWHERE,
    ...readProperty(byName.get(argument.name)),
  }));
  const description = textIn(findEntry(tool, 'description')) ?? '';
  return {
    name,
    description,
    arguments: found,
    ...(schema ? { schema: { isOpen: isOpen(schema, found.length) } } : {}),
  };
}

/** The description of a property, and its allowed values if all of them are texts. */
function readProperty(property: Value | undefined): Pick<ArgumentDeclaration, 'description' | 'values'> {
  const description = textIn(findEntry(property, 'description'));
  const listed = findEntry(property, 'enum');
  const texts = listed?.kind === 'list' ? listed.items.map(textIn) : [];
  const values = texts.filter(text => text !== undefined);
  return {
    ...(description === undefined ? {} : { description }),
    ...(values.length > 0 && values.length === texts.length ? { values } : {}),
  };
}

/** Keywords of a JSON Schema that may allow properties besides those in `properties`. */
const ALLOWING = [
  'patternProperties',
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'dependentSchemas',
  '$ref',
  '$dynamicRef',
] as const;

/** True for a schema that allows undeclared arguments: explicitly, in other keywords, or because it declares none. */
function isOpen(schema: Value, count: number): boolean {
  if (ALLOWING.some(keyword => findEntry(schema, keyword))) return true;
  const others = findEntry(schema, 'additionalProperties');
  if (!others) return count === 0;
  return others.kind !== 'bool' || others.bool;
}

/** The tools that messages declare, in lists or one by one. The last declaration of a tool counts. */
export function declaredTools(messages: readonly Message[]): ToolTable {
  const declared = new DeclaredTools();
  for (const message of messages) declared.add(message);
  return declared.table;
}

/** The same for messages that come one by one; stores only their declarations. */
export class DeclaredTools {
  readonly #tools = new Map<string, ToolDeclaration | undefined>();
  #isComplete = false;

  add({ fields }: Message): void {
    if (!fields.tools && !fields.declaration) return;
    const listed = fields.tools?.kind === 'list' ? fields.tools.items : [];
    this.#isComplete ||= fields.tools?.kind === 'list';
    for (const tool of fields.declaration ? [...listed, fields.declaration] : listed) {
      const name = textIn(findEntry(tool, 'name')) ?? textIn(tool);
      if (name === undefined || name === '') continue;
      const declared = readDeclaration(tool);
      if (declared || !this.#tools.has(name)) this.#tools.set(name, declared);
    }
  }

  get table(): ToolTable {
    return { isComplete: this.#isComplete && this.#tools.size <= MAX_TOOLS, tools: this.#tools };
  }
}
