import { LANGUAGE_SUPPORT } from '../../protocol/src/languages.ts';
import type { Runtime } from './runtime.ts';

/** The runtime of a Node process. */
export const NODE_RUNTIME: Runtime = {
  languages: LANGUAGE_SUPPORT,
  yieldToQueue: () => new Promise(resolve => setImmediate(resolve)),
  startTimer(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return { cancel: () => clearTimeout(timer) };
  },
};
