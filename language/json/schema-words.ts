import { asList } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import { quote } from '../../core/text/quote.ts';

/** Longer lists of values are shortened. */
const LONGEST_LIST = 120;

/** A violation in two parts: `problem` is the start of a sentence, `advice` its end. */
export interface SchemaWords {
  readonly problem: string;
  readonly advice: string;
  /** The types of which the value should have one. */
  readonly types?: readonly string[];
  /** The allowed values, of which the value is none. */
  readonly values?: readonly unknown[];
}

type Words = (first: string, second: string) => readonly [problem: string, advice: string];

const ONE_TYPE = 'Incorrect type. Expected "{0}".';
const TYPES = 'Incorrect type. Expected one of {0}.';

/**
 * The messages of the JSON language service with our words for each. The service has no codes for them;
 * `{0}` and `{1}` are placeholders for a name, a number or a list.
 */
export const SCHEMA_WORDS: ReadonlyMap<string, Words> = new Map<string, Words>([
  [TYPES, types => [`This is not of type ${eachOf(types)}`, 'write one that is']],
  [ONE_TYPE, type => [`This is not of type ${quote(type)}`, 'write one that is']],
  [
    'Value is not accepted. Valid values: {0}.',
    values => [`This is none of the values ${list(values)}`, 'write one of them'],
  ],
  ['Value must be {0}.', value => [`This is not ${list(value)}, the only value here`, 'write that']],
  ['Missing property "{0}".', name => [`The object lacks ${quote(name)}`, 'add it']],
  [
    'Property {0} is not allowed.',
    name => [`${quote(name)} is no member that the object may have`, 'remove it or rename it'],
  ],
  [
    'Object is missing property {0} required by property {1}.',
    (name, by) => [`The object lacks ${quote(name)}, which ${quote(by)} requires`, 'add it'],
  ],
  [
    'Object has more properties than limit of {0}.',
    count => [`The object has more members than ${count}`, 'remove some'],
  ],
  [
    'Object has fewer properties than the required number of {0}',
    count => [`The object has fewer members than ${count}`, 'add some'],
  ],
  [
    'String is shorter than the minimum length of {0}.',
    count => [`The text is shorter than ${count} characters`, 'write more'],
  ],
  [
    'String is longer than the maximum length of {0}.',
    count => [`The text is longer than ${count} characters`, 'shorten it'],
  ],
  [
    'Value is below the minimum of {0}.',
    limit => [`The number is less than ${limit}`, 'write a greater one'],
  ],
  [
    'Value is below the exclusive minimum of {0}.',
    limit => [`The number is not greater than ${limit}`, 'write a greater one'],
  ],
  [
    'Value is above the maximum of {0}.',
    limit => [`The number is greater than ${limit}`, 'write a smaller one'],
  ],
  [
    'Value is above the exclusive maximum of {0}.',
    limit => [`The number is not less than ${limit}`, 'write a smaller one'],
  ],
  ['Value is not divisible by {0}.', step => [`The number is no multiple of ${step}`, 'write one that is']],
  [
    'Array has too few items. Expected {0} or more.',
    count => [`The array has fewer values than ${count}`, 'add some'],
  ],
  [
    'Array has too many items. Expected {0} or fewer.',
    count => [`The array has more values than ${count}`, 'remove some'],
  ],
  [
    'Array has too many items according to schema. Expected {0} or fewer.',
    count => [`The array has more values than ${count}`, 'remove some'],
  ],
  [
    'Array does not contain required item.',
    () => ['The array lacks a value that the schema requires', 'add it'],
  ],
  [
    'Array has too few items that match the contains contraint. Expected {0} or more.',
    count => [`Fewer than ${count} values of the array are of the kind that the schema requires`, 'add some'],
  ],
  [
    'Array has too many items that match the contains contraint. Expected {0} or less.',
    count => [`More than ${count} values of the array are of a kind that the schema limits`, 'remove some'],
  ],
  [
    'Matches a schema that is not allowed.',
    () => ['The schema does not allow this value', 'write another one'],
  ],
  [
    'Matches multiple schemas when only one must validate.',
    () => ['This fits several choices of the schema, of which it allows one', 'write a value that fits one'],
  ],
]);

/** Messages of any other kind. */
const OTHER = { problem: 'This does not fit the schema of the tool', advice: 'change it' };

/** Codes of messages that are not about a schema have other rules, and those about the schema itself are not shown. */
const ENUM_MISMATCH = 1;

/** The words for a message of the service; undefined if it is not a violation of a schema. */
export function describeSchemaFault(
  message: string,
  code: string | number | undefined,
): SchemaWords | undefined {
  if (code !== undefined && code !== ENUM_MISMATCH) return undefined;
  for (const [template, words] of SCHEMA_WORDS) {
    const filled = fill(template, message);
    if (!filled) continue;
    const isTyped = template === ONE_TYPE || template === TYPES;
    const [problem, advice] = words(filled[0] ?? '', filled[1] ?? '');
    // The service writes values as JSON with commas between them.
    const values = code === ENUM_MISMATCH ? asList(parseJson(`[${filled[0] ?? ''}]`)) : undefined;
    return {
      problem,
      advice,
      ...(values ? { values } : {}),
      ...(isTyped ? { types: (filled[0] ?? '').split(', ') } : {}),
    };
  }
  return OTHER;
}

/** The texts in the places of `{0}` and `{1}`; undefined if a message has another template. */
function fill(template: string, message: string): readonly string[] | undefined {
  const [start = '', middle, end] = template.split(/\{[01]\}/);
  if (middle === undefined) return message === template ? [] : undefined;
  if (!message.startsWith(start) || !message.endsWith(end ?? middle)) return undefined;
  const inner = message.slice(start.length, message.length - (end ?? middle).length);
  if (end === undefined) return [inner];
  const at = inner.indexOf(middle);
  return at === -1 ? undefined : [inner.slice(0, at), inner.slice(at + middle.length)];
}

/** A list of values, without quotes because texts among them have some. */
function list(values: string): string {
  return quote(values, LONGEST_LIST).slice(1, -1);
}

function eachOf(names: string): string {
  return names
    .split(', ')
    .map(name => quote(name))
    .join(' or ');
}
