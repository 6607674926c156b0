import type { SliceHost } from '../../../core/text/slices.ts';

/** Runs sliced work in the extension host, which is a process or a worker; the work is never stopped. */
export const EXTENSION_HOST: SliceHost = {
  now: () => performance.now(),
  yieldToQueue: () => new Promise(resolve => setTimeout(resolve)),
  isStopped: () => false,
};
