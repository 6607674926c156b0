/**
 * The part of Node's strict assertions that tests in the web worker host use. It throws where Node's throws, and says
 * both values in full.
 */
export function ok(value: unknown, message = 'the value is not truthy'): asserts value {
  if (!value) throw new Error(message);
}

export function equal(actual: unknown, expected: unknown, message?: string): void {
  if (!Object.is(actual, expected)) fail('is not equal', actual, expected, message);
}

export function deepEqual(actual: unknown, expected: unknown, message?: string): void {
  if (!isSame(actual, expected)) fail('is not deeply equal', actual, expected, message);
}

export function match(actual: string, pattern: RegExp, message?: string): void {
  if (!pattern.test(actual)) fail('does not match', actual, String(pattern), message);
}

export async function rejects(run: () => Promise<unknown>, pattern: RegExp): Promise<void> {
  const error: unknown = await run().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  ok(error instanceof Error, 'it was not rejected with an error');
  match(error.message, pattern);
}

// The module's own default export in Node is the same functions.
const assert = { ok, equal, deepEqual, match, rejects };
export { assert as default };

function fail(what: string, actual: unknown, expected: unknown, message?: string): never {
  const lines = [message ?? `the value ${what}`, `actual:   ${show(actual)}`, `expected: ${show(expected)}`];
  throw new Error(lines.join('\n'));
}

function show(value: unknown): string {
  return JSON.stringify(value, undefined, 1) ?? String(value);
}

/** Of plain values, lists, records, maps and sets: what tests compare. */
function isSame(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return Object.is(one, other);
  if (Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return false;
  if (one instanceof Map || one instanceof Set) {
    return isSame([...one], other instanceof Map || other instanceof Set ? [...other] : undefined);
  }
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every(key => Object.hasOwn(other, key) && isSame(Reflect.get(one, key), Reflect.get(other, key)))
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
