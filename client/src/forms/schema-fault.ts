import { quote } from '../../../core/text/quote.ts';
import { isRecord } from '../../../core/guard.ts';
import { listTypes, readSchema, resolveSchema, type Schema } from './schema.ts';

/** The maximum depth that is checked; deeper values are left to the agent. */
const DEEPEST = 50;

/**
 * The first violation of a JSON Schema by a value, as a sentence; undefined if there is none. Checks types,
 * enumerations, constants, ranges, lengths, the formats of MCP's forms, required and unknown members, and
 * items. Other keywords, including `pattern`, are left to the agent.
 */
export function findFault(value: unknown, schema: unknown, root: unknown = schema): string | undefined {
  return look(value, readSchema(schema), { root: readSchema(root), path: '', depth: 0 });
}

interface Place {
  readonly root: Schema;
  /** The path of the value below the field, such as `[0].name`. */
  readonly path: string;
  readonly depth: number;
}

function look(value: unknown, written: Schema, place: Place): string | undefined {
  if (place.depth > DEEPEST) return undefined;
  const schema = resolveSchema(written, place.root);
  const fault = findOwnFault(value, schema);
  if (fault !== undefined) return place.path === '' ? `${fault}.` : `${place.path}: ${fault}.`;
  if (Array.isArray(value)) return lookAtItems(value, schema, place);
  return isRecord(value) ? lookAtMembers(value, schema, place) : undefined;
}

function lookAtItems(values: readonly unknown[], schema: Schema, place: Place): string | undefined {
  const items = readSchema(schema['items']);
  for (const [at, value] of values.entries()) {
    const fault = look(value, items, { ...place, path: `${place.path}[${at}]`, depth: place.depth + 1 });
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function lookAtMembers(value: Schema, schema: Schema, place: Place): string | undefined {
  const properties = readSchema(schema['properties']);
  for (const [name, member] of Object.entries(value)) {
    const path = place.path === '' ? name : `${place.path}.${name}`;
    const below = { ...place, path, depth: place.depth + 1 };
    if (Object.hasOwn(properties, name)) {
      const fault = look(member, readSchema(properties[name]), below);
      if (fault !== undefined) return fault;
    } else if (schema['additionalProperties'] === false) return `There is no member ${quote(name)} here.`;
  }
  return undefined;
}

function findOwnFault(value: unknown, schema: Schema): string | undefined {
  return (
    findTypeFault(value, schema) ??
    findChoiceFault(value, schema) ??
    (typeof value === 'number' ? findRangeFault(value, schema, NUMBER_RANGE) : undefined) ??
    (typeof value === 'string' ? findTextFault(value, schema) : undefined) ??
    (Array.isArray(value) ? findRangeFault(value.length, schema, ITEM_RANGE) : undefined) ??
    (isRecord(value) ? findMissing(value, schema) : undefined)
  );
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

function findTypeFault(value: unknown, schema: Schema): string | undefined {
  const types = listTypes(schema);
  const given: readonly unknown[] = Array.isArray(schema['type']) ? schema['type'] : [schema['type']];
  if (types.length === 0 || (value === null && given.includes('null'))) return undefined;
  return types.some(type => isOfType(value, type))
    ? undefined
    : `This has to be ${types.map(type => TYPE_WORDS[type] ?? type).join(' or ')}`;
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isRecord(value);
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type;
    default:
      // An unknown type is ignored.
      return true;
  }
}

function findChoiceFault(value: unknown, schema: Schema): string | undefined {
  const values = 'const' in schema ? [schema['const']] : schema['enum'];
  if (!Array.isArray(values)) return undefined;
  const texts = values.map(each => JSON.stringify(each));
  return texts.includes(JSON.stringify(value)) ? undefined : `This has to be ${texts.join(' or ')}`;
}

interface Range {
  readonly low: string;
  readonly high: string;
  readonly unit: string;
}

const NUMBER_RANGE: Range = { low: 'minimum', high: 'maximum', unit: '' };
const ITEM_RANGE: Range = { low: 'minItems', high: 'maxItems', unit: ' items' };
const TEXT_RANGE: Range = { low: 'minLength', high: 'maxLength', unit: ' characters' };

function findRangeFault(size: number, schema: Schema, { low, high, unit }: Range): string | undefined {
  const [from, to] = [schema[low], schema[high]];
  const { exclusiveMinimum: above, exclusiveMaximum: below } = schema;
  if (typeof from === 'number' && size < from) return `This has to be at least ${from}${unit}`;
  if (typeof to === 'number' && size > to) return `This has to be at most ${to}${unit}`;
  if (unit !== '') return undefined;
  if (typeof above === 'number' && size <= above) return `This has to be more than ${above}`;
  return typeof below === 'number' && size >= below ? `This has to be less than ${below}` : undefined;
}

/** The formats that MCP forms may use (Model Context Protocol, "Elicitation"). */
const FORMATS: ReadonlyMap<unknown, readonly [(text: string) => boolean, string]> = new Map<
  unknown,
  readonly [(text: string) => boolean, string]
>([
  ['email', [text => /^[^\s@]+@[^\s@]+$/.test(text), 'a mail address']],
  ['uri', [text => URL.canParse(text), 'an address, such as https://example.org']],
  ['date', [text => isDate(text), 'a date, such as 2026-07-28']],
  [
    'date-time',
    [
      text => /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(text),
      'a date and time, such as 2026-07-28T12:00:00Z',
    ],
  ],
]);

function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
}

function findTextFault(text: string, schema: Schema): string | undefined {
  // JSON Schema counts characters, not UTF-16 code units.
  const fault = findRangeFault([...text].length, schema, TEXT_RANGE);
  const format = FORMATS.get(schema['format']);
  if (fault !== undefined || !format) return fault;
  const [isFormat, words] = format;
  return isFormat(text) ? undefined : `This has to be ${words}`;
}

function findMissing(value: Schema, schema: Schema): string | undefined {
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  const missing = required.find(name => typeof name === 'string' && !Object.hasOwn(value, name));
  return typeof missing === 'string' ? `The member ${quote(missing)} is missing` : undefined;
}
