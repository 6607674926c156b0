import type { FormField, FormInputs } from '../../../wire/form-messages.ts';
import { listFields } from './schema-fields.ts';
import { withoutSecrets } from './secret-inputs.ts';

/**
 * The inputs of a form to store: without secrets, and with choices stored as their JSON values, one per line,
 * because an agent may change the order of choices.
 */
export function toStored(schema: unknown, inputs: FormInputs): FormInputs {
  return mapChoices(
    schema,
    withoutSecrets(schema, inputs),
    ({ choices }, line) => choices[Number(line)]?.json,
  );
}

/** Restores stored inputs into a form. Choices that no longer exist are left to the defaults. */
export function fromStored(schema: unknown, stored: FormInputs): FormInputs {
  return mapChoices(schema, withoutSecrets(schema, stored), ({ choices }, line) => {
    const at = choices.findIndex(choice => choice.json === line);
    return at < 0 ? undefined : String(at);
  });
}

function mapChoices(
  schema: unknown,
  inputs: FormInputs,
  map: (field: FormField, line: string) => string | undefined,
): FormInputs {
  const mapped: Record<string, string> = { ...inputs };
  for (const field of listFields(schema)) {
    const input = inputs[field.name];
    if (input === undefined || (field.kind !== 'choice' && field.kind !== 'choices')) continue;
    const lines = input.split('\n').filter(Boolean);
    const known = lines.flatMap(line => map(field, line) ?? []);
    if (known.length > 0 || lines.length === 0) mapped[field.name] = known.join('\n');
    else delete mapped[field.name];
  }
  return mapped;
}
