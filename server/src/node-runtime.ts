import { checkedLanguages } from '../../language/agent-json/checked.ts';
import { ALL_MESSAGES } from '../../protocols/all.ts';
import { loadEncoding } from '../../tokenizers/load.ts';
import { NODE_DISK } from './node-disk.ts';
import type { Runtime } from './runtime.ts';
import { TIMERS } from './turns.ts';

/** The runtime of a Node process. */
export const NODE_RUNTIME: Runtime = {
  ...TIMERS,
  languages: checkedLanguages(ALL_MESSAGES.list),
  disk: NODE_DISK,
  loadEncoding,
};
