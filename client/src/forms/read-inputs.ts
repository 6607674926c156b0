import { JSON_NUMBER, parseJson } from '../../../core/text/json.ts';
import { REDACTED } from '../../../core/secrets/redact-stream.ts';
import type { FormFaults, FormField, FormInputs } from '../../../wire/form-messages.ts';
import { isRecord } from '../../../core/guard.ts';
import { listFields, WHOLE } from './schema-fields.ts';
import { findFault } from './schema-fault.ts';
import { readSchema, resolveSchema } from './schema.ts';

/** The content of a form: the JSON text of an object, or the faults. */
export type FilledForm =
  | { readonly ok: true; readonly json: string }
  | {
      readonly ok: false;
      readonly faults: FormFaults;
      /** All inputs; those that cannot be parsed as their type are strings. */
      readonly json: string;
      /** False if the arguments are not an object, which cannot be sent. */
      readonly isCall: boolean;
    };

/**
 * Reads form inputs according to a JSON Schema. Numbers keep all their digits, because the JSON text is built
 * from the typed text. An optional empty field is left out; a required text may be empty, but not missing.
 * `secrets` controls whether secret values are masked.
 */
export function readInputs(
  schema: unknown,
  inputs: FormInputs,
  secrets: 'as typed' | 'masked' = 'as typed',
): FilledForm {
  const root = readSchema(schema);
  const properties = readSchema(resolveSchema(root, root)['properties']);
  const faults: Record<string, string> = {};
  const members: string[] = [];
  for (const field of listFields(schema)) {
    const { name, isSecret } = field;
    const input = inputs[name] ?? '';
    const isMissing = field.kind === 'text' && field.isRequired && inputs[name] === undefined;
    const read = isMissing ? MISSING : readField(field, input);
    if (read === undefined) continue;
    const own = name === WHOLE ? root : readSchema(properties[name]);
    const fault = 'fault' in read ? read.fault : findFault(parseJson(read.json), own, root);
    if (fault !== undefined) faults[name] = fault;
    // All arguments as one JSON object.
    if (name === WHOLE)
      return 'fault' in read ? { ok: false, faults, json: '{}', isCall: false } : fill(read.json, faults);
    const json = 'json' in read ? read.json : writeText(input);
    if (json !== '')
      members.push(
        `${JSON.stringify(name)}:${isSecret && secrets === 'masked' ? JSON.stringify(REDACTED) : json}`,
      );
  }
  return fill(`{${members.join(',')}}`, faults);
}

function fill(json: string, faults: FormFaults): FilledForm {
  return Object.keys(faults).length === 0 ? { ok: true, json } : { ok: false, faults, json, isCall: true };
}

/** Writes an input that cannot be parsed as its type; empty if nothing was typed. */
function writeText(input: string): string {
  return input.trim() === '' ? '' : JSON.stringify(input);
}

const MISSING = { fault: 'Fill this in: the argument is required.' };

type ReadField = { readonly json: string } | { readonly fault: string };

/** Returns undefined for a field that is left out. */
function readField(field: FormField, input: string): ReadField | undefined {
  const typed = input.trim();
  const isEmpty = typed === '';
  if (field.kind === 'text') {
    return input === '' && !field.isRequired ? undefined : { json: JSON.stringify(input) };
  }
  if (isEmpty && !field.isRequired) return undefined;
  if (isEmpty && field.kind !== 'list' && field.kind !== 'choices') return MISSING;
  switch (field.kind) {
    case 'integer':
    case 'number':
      return readNumber(typed, field.kind);
    case 'boolean':
      return typed === 'true' || typed === 'false' ? { json: typed } : { fault: 'Choose true or false.' };
    case 'choice':
    case 'choices':
      return readChoices(field, input);
    case 'list': {
      const lines = isEmpty ? [] : input.replace(/\n$/, '').split('\n');
      return { json: JSON.stringify(lines) };
    }
    case 'json':
      return readJson(field, typed);
    case 'any':
      return { json: parseJson(typed) === undefined ? JSON.stringify(input) : typed };
  }
}

const INTEGER = /^-?(?:0|[1-9]\d*)$/;

function readNumber(typed: string, kind: 'integer' | 'number'): ReadField {
  const isNumber = (kind === 'integer' ? INTEGER : JSON_NUMBER).test(typed) && Number.isFinite(Number(typed));
  if (isNumber) return { json: typed };
  return kind === 'integer'
    ? { fault: 'This has to be an integer, such as 42.' }
    : { fault: 'This has to be a number, such as 1.5.' };
}

function readChoices({ kind, choices }: FormField, input: string): ReadField {
  const chosen = input
    .split('\n')
    .filter(Boolean)
    .flatMap(at => choices[Number(at)]?.json ?? []);
  if (kind === 'choices') return { json: `[${chosen.join(',')}]` };
  const [json] = chosen;
  return json === undefined ? { fault: 'Choose one of these.' } : { json };
}

function readJson({ name }: FormField, typed: string): ReadField {
  const value = parseJson(typed);
  if (value === undefined) return { fault: 'This is not valid JSON.' };
  if (name === WHOLE && !isRecord(value)) return { fault: 'This has to be a JSON object.' };
  return { json: typed };
}
