/** The members of a JSON object by name. A map, because names come from outside: `__proto__` is a name like any other. */
export type Fields = ReadonlyMap<string, unknown>;

/** The own members of a JSON object, by name; undefined for anything else. */
export function readFields(value: unknown): Fields | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return new Map(Object.entries(value));
}
