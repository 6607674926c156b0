// mocha for browsers leaves itself in the global scope.
import 'mocha/mocha.js';
import type * as mochaModule from 'mocha';

type Name = 'describe' | 'it' | 'before' | 'beforeEach' | 'after' | 'afterEach';

const scope = globalThis as unknown as { readonly Mocha: typeof mochaModule.default } & Record<
  Name,
  (...args: unknown[]) => unknown
>;

/** What `import … from 'mocha'` gives in Node: the functions of the file that is being loaded, whichever runs it. */
function current(name: Name): (...args: unknown[]) => unknown {
  return (...args) => scope[name](...args);
}

export const describe = current('describe');
export const it = current('it');
export const before = current('before');
export const beforeEach = current('beforeEach');
export const after = current('after');
export const afterEach = current('afterEach');
export const { reporters } = scope.Mocha;
export const { Mocha } = scope;
