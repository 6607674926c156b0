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
import { TIMERS } from './turns.ts';

/** The global scope of a worker; this folder's types are those of Node only. */
type WorkerScope = ConstructorParameters<typeof BrowserMessageReader>[0];
declare const self: WorkerScope;

const BROWSER_RUNTIME: Runtime = {
  ...TIMERS,
  languages: checkedLanguages(ALL_MESSAGES.list),
  loadEncoding: loadEncodingScript,
};

// The entry of dist/server.browser.js, in a web worker.
startServer(
  createConnection(ProposedFeatures.all, new BrowserMessageReader(self), new BrowserMessageWriter(self)),
  BROWSER_RUNTIME,
);
