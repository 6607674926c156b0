import { parentPort, workerData } from 'node:worker_threads';

/** A pattern that code builds with the constructor while its module loads. */
export interface BuiltPattern {
  readonly source: string;
  readonly flags: string;
}

const built: BuiltPattern[] = [];
const Original = globalThis.RegExp;
globalThis.RegExp = new Proxy(Original, {
  construct(target, parameters: ConstructorParameters<RegExpConstructor>) {
    const pattern = new target(...parameters);
    built.push({ source: pattern.source, flags: pattern.flags });
    return pattern;
  },
});
const modules: unknown = workerData;
if (Array.isArray(modules)) for (const path of modules) await import(String(path));
parentPort?.postMessage(built);
