/* global globalThis */
// The console of the libraries of protocols: esbuild puts it in the place of the host's in their bundles. What they write goes to
// the call that it is about (agents/library-console.ts).

/** @param {readonly unknown[]} values */
function write(...values) {
  const sink = globalThis[Symbol.for('parley.library-console')];
  if (typeof sink === 'function') sink(values.map(String).join(' '));
}

export const console = { debug() {}, info: write, log: write, warn: write, error: write, trace: write };
