import { parseJson } from '../../../core/text/json.ts';
import type { FormInputs } from '../../../wire/form-messages.ts';
import { listFields } from './schema-fields.ts';

/** The inputs of a form without its secret fields. */
export function withoutSecrets(schema: unknown, inputs: FormInputs): FormInputs {
  const secret = new Set(namesOf(schema));
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => !secret.has(name)));
}

/** The inputs of secret fields and each string in them, which must not be shown or stored with a call. */
export function listSecrets(schema: unknown, inputs: FormInputs): readonly string[] {
  const typed = namesOf(schema).map(name => inputs[name] ?? '');
  const all = typed.flatMap(input => [input, ...input.split('\n'), ...listTexts(parseJson(input))]);
  return [...new Set(all)].filter(text => text.trim() !== '');
}

function namesOf(schema: unknown): readonly string[] {
  return listFields(schema)
    .filter(({ isSecret }) => isSecret)
    .map(({ name }) => name);
}

/** All strings in a JSON value, whose depth is limited by its parser. */
function listTexts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : [];
}
