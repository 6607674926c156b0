/**
 * A secret that a request in a file refers to by name: its
 * value and the template that refers to it, `{{secret figma}}`.
 */
export interface NamedSecret {
  readonly value: string;
  readonly template: string;
}

/** A secret: with its template, or only the value if it has no name. */
export type Secret = string | NamedSecret;

export function valueOfSecret(secret: Secret): string {
  return typeof secret === 'string' ? secret : secret.value;
}

/** Removes empty and duplicate secrets; of duplicates, one with a template is preferred. */
export function uniqueSecrets(secrets: readonly Secret[]): readonly Secret[] {
  const known = new Map<string, Secret>();
  for (const secret of secrets) {
    const value = valueOfSecret(secret);
    if (value !== '' && typeof (known.get(value) ?? '') === 'string') known.set(value, secret);
  }
  return [...known.values()];
}
