import { parseJson } from '../core/text/json.ts';
import { countOf } from '../core/text/count.ts';
import { readFields } from '../core/text/fields.ts';
import { quote } from '../core/text/quote.ts';

/** The maximum number of characters of a library's message in a sentence. */
const LONGEST = 200;

/** The faults that a library dumps into a message: a list of objects as JSON. */
const DUMP = /\[\s*\{[\s\S]*\}\s*\]/;

/**
 * Describes a library's error as part of a sentence: the first fault of a validation, with its place; invalid
 * JSON; the system's code for a failed connection; else its message in quotes.
 */
export function describeLibraryError(error: unknown): string {
  if (!(error instanceof Error)) return quote(String(error), LONGEST);
  const issues = findIssues(error);
  if (issues !== undefined) return describeIssues(issues);
  if (error instanceof SyntaxError) return 'a text that should be JSON is not valid JSON';
  const code = findCode(error);
  if (code !== undefined && error.message === 'fetch failed')
    return `no connection was established (${code})`;
  return quote(error.message, LONGEST);
}

/** The faults that an error lists, that its message has as JSON, or that its cause has. */
function findIssues(error: Error): readonly unknown[] | undefined {
  const listed: unknown = 'issues' in error ? error.issues : undefined;
  if (isList(listed)) return listed;
  const dumped = parseJson(DUMP.exec(error.message)?.[0] ?? '');
  if (isList(dumped) && dumped.some(each => readFields(each)?.has('message'))) return dumped;
  return error.cause instanceof Error ? findIssues(error.cause) : undefined;
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function describeIssues(issues: readonly unknown[]): string {
  const first = readFields(issues[0]);
  const path = first?.get('path');
  const place = Array.isArray(path) && path.length > 0 ? ` at ${quote(path.join('.'), LONGEST)}` : '';
  const form = FORMS.get(first?.get('expected'));
  const reason = form === undefined || place === '' ? '' : `, which has to be ${form}`;
  const others = issues.length > 1 ? `, and ${countOf(issues.length - 1, 'more fault')}` : '';
  return `its message does not have the form that the protocol requires${place}${reason}${others}`;
}

/** What a sentence calls the types that a validation expects. */
const FORMS: ReadonlyMap<unknown, string> = new Map([
  ['string', 'a text'],
  ['number', 'a number'],
  ['int', 'a whole number'],
  ['boolean', 'true or false'],
  ['object', 'an object'],
  ['record', 'an object'],
  ['array', 'a list'],
]);

function findCode(error: Error): string | undefined {
  const { cause } = error;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
}
