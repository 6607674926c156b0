import type { EncodingName } from '../../core/catalog/costs.ts';
import type { Encoding } from '../../protocols/cost/encoding.ts';
import { ENCODING_SCRIPT } from '../../wire/cost-requests.ts';
import type { AskClient } from './runtime.ts';

/** The part of a worker's global scope used here; this folder's types are those of Node only. */
interface WorkerScope {
  importScripts(url: string): void;
  /** Set by the script of an encoding. */
  parleyEncoding?: Encoding | undefined;
}
declare const self: WorkerScope;

/** Scripts are CommonJS modules, so that Node can load the same files. */
const BEFORE = '(() => { const module = { exports: {} }; const exports = module.exports;\n';
const AFTER = '\nself.parleyEncoding = module.exports.encoding; })();';

const loaded = new Map<EncodingName, Promise<Encoding>>();

/**
 * Loads an encoding in a web worker: the client reads the script from the extension's folder, and it is run from memory
 * like the worker itself. Rejects with a sentence for the user if the client has no script or the host cannot run it.
 */
export function loadEncodingScript(name: EncodingName, ask: AskClient): Promise<Encoding> {
  const known = loaded.get(name);
  if (known) return known;
  const loading = runScript(name, ask);
  loaded.set(name, loading);
  loading.catch(() => loaded.delete(name));
  return loading;
}

async function runScript(name: EncodingName, ask: AskClient): Promise<Encoding> {
  const script = await ask(ENCODING_SCRIPT, { encoding: name });
  if (typeof script !== 'string') throw new Error(`The editor has no script for ${name}`);
  const url = URL.createObjectURL(new Blob([BEFORE, script, AFTER], { type: 'text/javascript' }));
  try {
    self.importScripts(url);
  } finally {
    URL.revokeObjectURL(url);
  }
  const encoding = self.parleyEncoding;
  self.parleyEncoding = undefined;
  if (!encoding) throw new Error(`The script for ${name} holds no encoding`);
  return encoding;
}
