import type { FieldKind, FormChoice, FormField, FormInputs } from '../../../wire/form-messages.ts';
import { isRecord } from '../../../core/guard.ts';
import { listTypes, readSchema, resolveSchema, type Schema } from './schema.ts';

/** The name of the single field for a schema without properties; it contains all arguments. */
export const WHOLE = '';

/** The form fields for the JSON Schema of an object, in the order of its properties. */
export function listFields(value: unknown): readonly FormField[] {
  const root = readSchema(value);
  const schema = resolveSchema(root, root);
  const properties = Object.entries(readSchema(schema['properties']));
  if (properties.length === 0) return schema['additionalProperties'] === false ? [] : [WHOLE_FIELD];
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  return properties.map(([name, property]) => {
    const own = resolveSchema(readSchema(property), root);
    return describeField(name, own, required.includes(name) ? 'required' : 'optional', root);
  });
}

/** The initial inputs, from the defaults of the schema. */
export function listDefaults(value: unknown): FormInputs {
  const root = readSchema(value);
  const properties = readSchema(resolveSchema(root, root)['properties']);
  const inputs: Record<string, string> = {};
  for (const field of listFields(value)) {
    const schema = resolveSchema(readSchema(properties[field.name]), root);
    if ('default' in schema) inputs[field.name] = showValue(field, schema['default']);
  }
  return inputs;
}

const WHOLE_FIELD: FormField = {
  name: WHOLE,
  title: 'Arguments',
  description: 'The agent does not say which arguments there are.',
  kind: 'json',
  isRequired: false,
  isSecret: false,
  hint: 'JSON object',
  choices: [],
};

function describeField(name: string, schema: Schema, need: 'required' | 'optional', root: Schema): FormField {
  const kind = findKind(schema, root);
  const title = schema['title'];
  const description = schema['description'];
  return {
    name,
    title: typeof title === 'string' && title !== '' ? title : name,
    description: typeof description === 'string' ? description : '',
    kind,
    isRequired: need === 'required',
    isSecret: holdsSecret(schema, root, DEEPEST_SECRET),
    hint: describeHint(kind, schema),
    choices: kind === 'choices' ? listChoices(readItems(schema, root)) : listChoices(schema),
  };
}

/** The maximum depth at which passwords in objects and lists are found; schemas can refer to themselves. */
const DEEPEST_SECRET = 5;

/**
 * True for a field that a form must not show or store (JSON Schema 2020-12, `writeOnly`; OpenAPI, format
 * `password`).
 */
function holdsSecret(schema: Schema, root: Schema, depth: number): boolean {
  if (schema['writeOnly'] === true || schema['format'] === 'password') return true;
  if (depth === 0) return false;
  const parts = [schema['items'], ...Object.values(readSchema(schema['properties']))];
  return parts.some(part => holdsSecret(resolveSchema(readSchema(part), root), root, depth - 1));
}

function findKind(schema: Schema, root: Schema): FieldKind {
  if (listChoices(schema).length > 0) return 'choice';
  const [type, another] = listTypes(schema);
  if (type === undefined || another !== undefined) return 'any';
  switch (type) {
    case 'string':
      return 'text';
    case 'integer':
    case 'number':
    case 'boolean':
      return type;
    case 'array': {
      const items = readItems(schema, root);
      if (listChoices(items).length > 0) return 'choices';
      return listTypes(items).join() === 'string' ? 'list' : 'json';
    }
    default:
      return 'json';
  }
}

function readItems(schema: Schema, root: Schema): Schema {
  return resolveSchema(readSchema(schema['items']), root);
}

/** The allowed values of a schema: from an enumeration, or from constants with titles. */
function listChoices(schema: Schema): readonly FormChoice[] {
  const names: readonly unknown[] = Array.isArray(schema['enumNames']) ? schema['enumNames'] : [];
  if (Array.isArray(schema['enum']))
    return schema['enum'].map((each, at): FormChoice => toChoice(each, names[at]));
  const constants = [schema['oneOf'], schema['anyOf']].find(
    list => Array.isArray(list) && list.length > 0 && list.every(each => isRecord(each) && 'const' in each),
  );
  return Array.isArray(constants)
    ? constants.map(readSchema).map(each => toChoice(each['const'], each['title']))
    : [];
}

function toChoice(value: unknown, title: unknown): FormChoice {
  const json = JSON.stringify(value);
  const shown = typeof value === 'string' ? value : json;
  return { json, label: typeof title === 'string' && title !== shown ? `${title} (${shown})` : shown };
}

/** A value in the text form of a field. */
function showValue({ kind, choices }: FormField, value: unknown): string {
  const json = JSON.stringify(value);
  const numbers = (values: readonly unknown[]): string =>
    values
      .map(each => choices.findIndex(choice => choice.json === JSON.stringify(each)))
      .filter(at => at >= 0)
      .join('\n');
  switch (kind) {
    case 'choice':
      return numbers([value]);
    case 'choices':
      return Array.isArray(value) ? numbers(value) : '';
    case 'list':
      return Array.isArray(value) ? value.join('\n') : '';
    default:
      return typeof value === 'string' && kind !== 'json' ? value : json;
  }
}

const KIND_WORDS: Readonly<Record<FieldKind, string>> = {
  text: 'text',
  integer: 'integer',
  number: 'number',
  boolean: 'true or false',
  choice: '',
  choices: 'any number of these',
  list: 'list of texts, one a line',
  json: 'JSON',
  any: 'JSON, or else text',
};

const FORMAT_WORDS: Readonly<Record<string, string>> = {
  password: 'password',
  email: 'mail address',
  uri: 'address',
  date: 'date, such as 2026-07-28',
  'date-time': 'date and time, such as 2026-07-28T12:00:00Z',
};

/** A short description of the expected input. */
function describeHint(kind: FieldKind, schema: Schema): string {
  const { format, pattern } = schema;
  const [type] = listTypes(schema);
  const word =
    (kind === 'text' && typeof format === 'string' && (FORMAT_WORDS[format] ?? `text, ${format}`)) ||
    (kind === 'json' && type !== undefined && `JSON ${type}`) ||
    KIND_WORDS[kind];
  const numbers = describeRange(schema, 'minimum', 'maximum');
  const length = describeRange(schema, 'minLength', 'maxLength');
  const items = describeRange(schema, 'minItems', 'maxItems');
  const parts = [
    numbers === '' ? word : `${word} ${numbers}`,
    length === '' ? '' : `${length} characters`,
    items === '' ? '' : `${items} items`,
    // A pattern is only shown. Checking it is left to the agent, because an untrusted regular expression may
    // run forever.
    typeof pattern === 'string' ? `like ${pattern.slice(0, LONGEST_PATTERN)}` : '',
  ];
  return parts.filter(Boolean).join(', ');
}

const LONGEST_PATTERN = 100;

function describeRange(schema: Schema, low: string, high: string): string {
  const [from, to] = [schema[low], schema[high]];
  if (typeof from === 'number' && typeof to === 'number') return `from ${from} to ${to}`;
  if (typeof from === 'number') return `from ${from}`;
  return typeof to === 'number' ? `up to ${to}` : '';
}
