/** A secret that a request of a file names: its value, and what stands there for it, `{{secret figma}}`. */
export interface NamedSecret {
  readonly value: string;
  readonly template: string;
}

/** A secret, by its value alone where nothing names it. */
export type Secret = string | NamedSecret;

/** The value of a secret. */
export function valueOfSecret(secret: Secret): string {
  return typeof secret === 'string' ? secret : secret.value;
}

/** Secrets without those that are empty and those that come again; one that has a name goes before one that has none. */
export function uniqueSecrets(secrets: readonly Secret[]): readonly Secret[] {
  const known = new Map<string, Secret>();
  for (const secret of secrets) {
    const value = valueOfSecret(secret);
    if (value !== '' && typeof (known.get(value) ?? '') === 'string') known.set(value, secret);
  }
  return [...known.values()];
}
