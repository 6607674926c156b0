import type { FormField, FormInputs } from '../../../wire/form-messages.ts';
import { listFields } from './schema-fields.ts';
import { withoutSecrets } from './secret-inputs.ts';

/**
 * What is kept of a form for the next time: nothing that is secret, and of choices the values, a line of JSON each. An agent
 * may offer them in another order then.
 */
export function toKept(schema: unknown, inputs: FormInputs): FormInputs {
  return mapChoices(
    schema,
    withoutSecrets(schema, inputs),
    ({ choices }, line) => choices[Number(line)]?.json,
  );
}

/** What stands in a form of what was kept. Choices of which none is offered any more are left to the defaults. */
export function fromKept(schema: unknown, kept: FormInputs): FormInputs {
  return mapChoices(schema, withoutSecrets(schema, kept), ({ choices }, line) => {
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
