/**
 * The members of a JSON object by name. It is a map because
 * names are untrusted: `__proto__` must be an ordinary name.
 */
export type Fields = ReadonlyMap<string, unknown>;

/** The own members of a JSON object, by name; undefined for anything else. */
export function readFields(value: unknown): Fields | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return new Map(Object.entries(value));
}

/** The items of a JSON list; an empty list for any other value. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A text; undefined for any other value. */
export function readText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A finite number; undefined for any other value. */
export function readNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Looks up own members of a JSON object by name. */
export class OwnFields {
  readonly #object: object;

  constructor(object: object) {
    this.#object = object;
  }

  get(name: string): unknown {
    return Object.hasOwn(this.#object, name) ? Reflect.get(this.#object, name) : undefined;
  }
}

/**
 * A lookup of the own members of a JSON object; undefined for any other value. Unlike `readFields` it copies
 * nothing, for code that visits very many objects.
 */
export function askFields(value: unknown): OwnFields | undefined {
  return typeof value !== 'object' || value === null || Array.isArray(value)
    ? undefined
    : new OwnFields(value);
}

/** An object without the members of another that are undefined. */
type Defined<Members> = {
  readonly [Name in keyof Members as undefined extends Members[Name] ? never : Name]: Members[Name];
} & {
  readonly [Name in keyof Members as undefined extends Members[Name] ? Name : never]?: Exclude<
    Members[Name],
    undefined
  >;
};

/** A copy of an object without its members that are undefined. */
export function defined<const Members extends object>(members: Members): Defined<Members>;
export function defined(members: Readonly<Record<string, unknown>>): object {
  const copy: Record<string, unknown> = {};
  for (const name in members) if (members[name] !== undefined) copy[name] = members[name];
  return copy;
}
