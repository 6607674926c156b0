import { AsyncLocalStorage } from 'node:async_hooks';

/** Receives what a library writes to its console. */
type Take = (text: string) => void;

const TAKERS = new AsyncLocalStorage<Take>();

/**
 * Runs an act while `take` receives what protocol libraries write to their console. Bundles replace that console by
 * ours (scripts/build/library-console.js): nothing of it reaches the terminal or the developer tools.
 */
export async function catchLibraryConsole<T>(take: Take, act: () => Promise<T>): Promise<T> {
  let isOver = false;
  try {
    return await TAKERS.run(text => {
      // Nothing is added to a call that has ended.
      if (!isOver) take(text);
    }, act);
  } finally {
    isOver = true;
  }
}

/** The libraries are separate bundles, which find this function by its symbol. */
const SINK = Symbol.for('parley.library-console');
Object.defineProperty(globalThis, SINK, {
  configurable: true,
  value: (text: string) => TAKERS.getStore()?.(text),
});
