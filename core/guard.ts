/** Checks a value that came from another process or page, where it is `unknown`. */
export type Guard<Value> = (value: unknown) => value is Value;

/** The type that a guard accepts. */
export type Guarded<Type> = Type extends Guard<infer Value> ? Value : never;

/** An object whose members pass these guards; those that may be undefined may be missing. */
type Members<Guards> = {
  readonly [Name in keyof Guards as undefined extends Guarded<Guards[Name]> ? never : Name]: Guarded<
    Guards[Name]
  >;
} & {
  readonly [Name in keyof Guards as undefined extends Guarded<Guards[Name]> ? Name : never]?: Exclude<
    Guarded<Guards[Name]>,
    undefined
  >;
};

export const isString: Guard<string> = (value): value is string => typeof value === 'string';
export const isNumber: Guard<number> = (value): value is number => typeof value === 'number';
export const isBoolean: Guard<boolean> = (value): value is boolean => typeof value === 'boolean';

/** True for a JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A guard that accepts exactly these values. */
export function isOneOf<Value>(values: readonly Value[]): Guard<Value> {
  const known = new Set<unknown>(values);
  return (value): value is Value => known.has(value);
}

/** A guard that accepts `undefined` and what another guard accepts. */
export function isOptional<Value>(guard: Guard<Value>): Guard<Value | undefined> {
  return (value): value is Value | undefined => value === undefined || guard(value);
}

export function isListOf<Item>(guard: Guard<Item>): Guard<readonly Item[]> {
  return (value): value is readonly Item[] => Array.isArray(value) && value.every(guard);
}

/** A guard that checks some members of an object, for values that our own code sent and checked in full. */
export function isPartOf<Shape extends object>(
  guards: Partial<Readonly<Record<keyof Shape, Guard<unknown>>>>,
): Guard<Shape> {
  const entries = Object.entries<Guard<unknown> | undefined>(guards);
  return (value): value is Shape =>
    isRecord(value) &&
    entries.every(([name, guard]) => guard?.(Object.hasOwn(value, name) ? value[name] : undefined));
}

/** A guard that checks every member of an object. The type of the object follows from the guards. */
export function isShape<Guards extends Readonly<Record<string, Guard<unknown>>>>(
  guards: Guards,
): Guard<Members<Guards>> {
  return isPartOf<Members<Guards>>(guards);
}

/** A guard of messages, given the guards of the members of each `type`. The type of the messages follows from it. */
export function isMessage<Guards extends Readonly<Record<string, Readonly<Record<string, Guard<unknown>>>>>>(
  guards: Guards,
): Guard<{ [Type in keyof Guards]: { readonly type: Type } & Members<Guards[Type]> }[keyof Guards]> {
  type Message = { [Type in keyof Guards]: { readonly type: Type } & Members<Guards[Type]> }[keyof Guards];
  const byType = new Map(
    Object.entries(guards).map(([type, members]) => [type as unknown, isPartOf(members)]),
  );
  return (value): value is Message => isRecord(value) && byType.get(value['type'])?.(value) === true;
}
