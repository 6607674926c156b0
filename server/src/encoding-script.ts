import type { EncodingName } from '../../core/catalog/encodings.ts';
import type { Encoding } from '../../protocols/cost/encoding.ts';
import { ENCODING_SCRIPT } from '../../wire/cost-requests.ts';
import type { AskClient } from './runtime.ts';

/** What a worker's global scope offers here; the room's types know Node only. */
interface WorkerScope {
  importScripts(url: string): void;
  /** Where the script of an encoding leaves it. */
  parleyEncoding?: Encoding | undefined;
}
declare const self: WorkerScope;

/** Scripts are CommonJS, so that Node loads the same ones. */
const BEFORE = '(() => { const module = { exports: {} }; const exports = module.exports;\n';
const AFTER = '\nself.parleyEncoding = module.exports.encoding; })();';

const loaded = new Map<EncodingName, Promise<Encoding>>();

/**
 * The encoding, in a web worker: the client reads its script from the extension's folder, and it is run from memory, as
 * the worker itself is. Rejects with a sentence where the client has no script or the host runs none.
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
