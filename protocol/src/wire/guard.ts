/** True for a JSON object: what arrives from another process is `unknown` until a guard has looked at it. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True where every listed member of a record has the type named for it. */
export function hasShape(
  value: unknown,
  shape: Readonly<Record<string, 'string' | 'number' | 'boolean' | 'object'>>,
): value is Readonly<Record<string, unknown>> {
  return (
    isRecord(value) &&
    Object.entries(shape).every(([key, type]) => Object.hasOwn(value, key) && typeof value[key] === type)
  );
}
