/** The members of a JSON object by name. A map, because names come from outside: `__proto__` is a name like any other. */
export type Fields = ReadonlyMap<string, unknown>;

/** The own members of a JSON object, by name; undefined for anything else. */
export function readFields(value: unknown): Fields | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return new Map(Object.entries(value));
}

/** The items of a JSON list; none for anything else. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The own members of a JSON object, asked for by name. */
export class OwnFields {
  readonly #object: object;

  constructor(object: object) {
    this.#object = object;
  }

  get(name: string): unknown {
    return Object.hasOwn(this.#object, name) ? Reflect.get(this.#object, name) : undefined;
  }
}

/** The own members of a JSON object to ask for; undefined for anything else. For very many objects: no map is made of each. */
export function askFields(value: unknown): OwnFields | undefined {
  return typeof value !== 'object' || value === null || Array.isArray(value)
    ? undefined
    : new OwnFields(value);
}
