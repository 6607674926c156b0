import {
  BrowserMessageReader,
  BrowserMessageWriter,
  createConnection,
  ProposedFeatures,
} from 'vscode-languageserver/browser';
import { checkedLanguages } from '../../language/agent-json/checked.ts';
import { ALL_MESSAGES } from '../../protocols/all.ts';
import { loadEncodingScript } from './encoding-script.ts';
import type { Runtime } from './runtime.ts';
import { startServer } from './server.ts';
import { takeTurns } from './turns.ts';

/** The global scope of a worker; this folder's types are those of Node only. */
type WorkerScope = ConstructorParameters<typeof BrowserMessageReader>[0];
declare const self: WorkerScope;

/** Workers have no `setImmediate`; a timer of 0 ms lets waiting messages be processed first. */
const BROWSER_RUNTIME: Runtime = {
  languages: checkedLanguages(ALL_MESSAGES.list),
  yieldToQueue: takeTurns(callback => setTimeout(callback, 0)),
  startTimer(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return { cancel: () => clearTimeout(timer) };
  },
  now: () => performance.now(),
  loadEncoding: loadEncodingScript,
};

// The entry of dist/server.browser.js, in a web worker.
startServer(
  createConnection(ProposedFeatures.all, new BrowserMessageReader(self), new BrowserMessageWriter(self)),
  BROWSER_RUNTIME,
);
