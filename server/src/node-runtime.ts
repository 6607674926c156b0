import { checkedLanguages } from '../../language/agent-json/checked.ts';
import { ALL_MESSAGES } from '../../protocols/all.ts';
import { loadEncoding } from '../../tokenizers/load.ts';
import { NODE_DISK } from './node-disk.ts';
import type { Runtime } from './runtime.ts';
import { takeTurns } from './turns.ts';

/** The runtime of a Node process. */
export const NODE_RUNTIME: Runtime = {
  languages: checkedLanguages(ALL_MESSAGES.list),
  disk: NODE_DISK,
  // The connection delivers one message per turn of the event loop; `setImmediate` would run before the next one.
  yieldToQueue: takeTurns(callback => setTimeout(callback, 0)),
  startTimer(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return { cancel: () => clearTimeout(timer) };
  },
  now: () => performance.now(),
  loadEncoding,
};
