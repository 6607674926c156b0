/**
 * A promise that is settled from the start and calls back at once. With it the JSON language service, whose
 * functions are asynchronous because it could load schemas, answers in the same turn.
 */
class SettledValue<Value> implements PromiseLike<Value> {
  readonly #value: Value;

  constructor(value: Value) {
    this.#value = value;
  }

  then<One = Value, Other = never>(
    done?: ((value: Value) => One | PromiseLike<One>) | null,
  ): PromiseLike<One | Other> {
    if (!done) throw new Error('A settled promise needs a function to call');
    return Settled.resolve(done(this.#value));
  }
}

/** The constructor of such promises, in the form that the service takes. */
export class Settled<Value> extends SettledValue<Value | undefined> {
  constructor(
    run: (
      resolve: (value?: Value | PromiseLike<Value | undefined>) => void,
      reject: (reason?: unknown) => void,
    ) => void,
  ) {
    let settled: Value | undefined;
    run(
      value => {
        settled = value !== undefined && isPromise(value) ? settledValue(value) : value;
      },
      reason => Settled.reject(reason),
    );
    super(settled);
  }

  static resolve<Value>(value: Value | PromiseLike<Value>): PromiseLike<Value> {
    return isPromise(value) ? value : new SettledValue(value);
  }

  static reject(reason: unknown): never {
    throw reason;
  }

  static all<Value>(values: readonly (Value | PromiseLike<Value>)[]): PromiseLike<Value[]> {
    const all: Value[] = [];
    for (const value of values) void Settled.resolve(value).then(settled => all.push(settled));
    return new SettledValue(all);
  }
}

/** The value of a settled promise; undefined for any other promise. */
export function settledValue<Value>(promise: PromiseLike<Value>): Value | undefined {
  let settled: Value | undefined;
  void promise.then(value => {
    settled = value;
  });
  return settled;
}

function isPromise<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  return typeof value === 'object' && value !== null && 'then' in value;
}
