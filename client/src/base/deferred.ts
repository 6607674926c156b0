/** A promise with its resolve function. */
export interface Deferred<Value> {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value) => void;
}

/** Replaces `Promise.withResolvers`, which the oldest supported Node.js does not have. */
export function defer<Value>(): Deferred<Value> {
  let resolve = (_: Value): void => undefined;
  const promise = new Promise<Value>(settle => (resolve = settle));
  return { promise, resolve };
}
