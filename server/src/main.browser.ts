import {
  BrowserMessageReader,
  BrowserMessageWriter,
  createConnection,
  ProposedFeatures,
} from 'vscode-languageserver/browser';
import { LANGUAGE_SUPPORT } from '../../language/languages.ts';
import { loadEncodingScript } from './encoding-script.ts';
import type { Runtime } from './runtime.ts';
import { startServer } from './server.ts';
import { takeTurns } from './turns.ts';

/** What a worker's global scope is to this file; the room's types know Node only. */
type WorkerScope = ConstructorParameters<typeof BrowserMessageReader>[0];
declare const self: WorkerScope;

/** A worker has no immediate: a timer of nothing gives the messages that wait their turn. */
const BROWSER_RUNTIME: Runtime = {
  languages: LANGUAGE_SUPPORT,
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
