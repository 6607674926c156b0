import type { SliceHost } from '../../core/text/slices.ts';

/** The extension host, where it is a process and where it is a worker, for work in slices that nobody stops. */
export const EXTENSION_HOST: SliceHost = {
  now: () => performance.now(),
  yieldToQueue: () => new Promise(resolve => setTimeout(resolve)),
  isStopped: () => false,
};
