import { parseJson } from '../../../core/text/json.ts';
import type { FormInputs } from '../../../wire/form-messages.ts';
import { listFields } from './schema-fields.ts';

/** What may be kept of a form: all but the fields that are secret. */
export function withoutSecrets(schema: unknown, inputs: FormInputs): FormInputs {
  const secret = new Set(namesOf(schema));
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => !secret.has(name)));
}

/** What was typed into fields that are secret, and each text in it: none of these is shown or kept where a call is. */
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

/** The texts within a JSON value, which is not deeper than its reader allows. */
function listTexts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : [];
}
