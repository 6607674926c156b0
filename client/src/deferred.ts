/** A promise with what settles it. */
export interface Deferred<Value> {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value) => void;
}

/** `Promise.withResolvers`, which the oldest Node that we run on has not. */
export function defer<Value>(): Deferred<Value> {
  let resolve = (_: Value): void => undefined;
  const promise = new Promise<Value>(settle => (resolve = settle));
  return { promise, resolve };
}
