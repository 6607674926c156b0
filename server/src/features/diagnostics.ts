import {
  DocumentDiagnosticReportKind,
  DocumentDiagnosticRequest,
  LSPErrorCodes,
  ResponseError,
  type ClientCapabilities,
  type Diagnostic,
  type Disposable,
  type DocumentDiagnosticReport,
} from 'vscode-languageserver';
import { canPull, toDiagnostics } from '../diagnostic.ts';
import type { Snapshot } from '../documents.ts';
import { guardWork } from '../guard.ts';
import type { RunningTimer } from '../runtime.ts';
import { requestFeature, type Feature, type FeatureHost } from './feature.ts';

/** Delay after the last edit before diagnostics are pushed, in milliseconds. */
const PUSH_DELAY = 100;

const OPTIONS = { identifier: 'parley', interFileDependencies: false };

/** Diagnostics: pulled by clients that support it, pushed to others, never both. */
export const diagnostics: Feature = {
  name: 'diagnostics',
  capabilities: client =>
    canPull(client) && !canRegister(client)
      ? { diagnosticProvider: { ...OPTIONS, workspaceDiagnostics: true } }
      : {},
  register(host) {
    if (canPull(host.client)) pulled.register(host);
    else pushTo(host);
  },
  async refresh(host, change) {
    // Pushed diagnostics need no refresh: new settings or tools create new snapshots, whose diagnostics are pushed.
    if (!canPull(host.client)) return;
    const isNew = canRegister(host.client) && (await announce(host));
    if (isNew || change === 'options') return;
    if (host.client.workspace?.diagnostics?.refreshSupport === true) {
      await host.connection.languages.diagnostics.refresh();
    }
  },
};

const pulled = requestFeature({
  name: 'diagnostics',
  type: DocumentDiagnosticRequest.type,
  capabilities: () => ({}),
  neutral: { kind: DocumentDiagnosticReportKind.Full, items: [] },
  // Asks clients that do not request the new version by themselves to do so.
  stale: name =>
    new ResponseError(LSPErrorCodes.ServerCancelled, `${name}: the document was edited meanwhile`, {
      retriggerRequest: true,
    }),
  answer(snapshot, params, host): DocumentDiagnosticReport {
    const resultId = String(snapshot.serial);
    return params.previousResultId === resultId
      ? { kind: DocumentDiagnosticReportKind.Unchanged, resultId }
      : { kind: DocumentDiagnosticReportKind.Full, resultId, items: diagnosticsOf(host, snapshot) };
  },
});

/** The current registration for each client. */
const announced = new WeakMap<
  FeatureHost,
  { readonly isForWorkspace: boolean; readonly registration: Promise<Disposable> }
>();

/**
 * Registers pull diagnostics with the client, with workspace diagnostics only if the setting allows it, because clients
 * with dynamic registration then request all files repeatedly. True if the registration changed.
 */
async function announce(host: FeatureHost): Promise<boolean> {
  const isForWorkspace = host.documents.settings.workspaceDiagnostics;
  const before = announced.get(host);
  if (before?.isForWorkspace === isForWorkspace) return false;
  const options = { ...OPTIONS, workspaceDiagnostics: isForWorkspace, documentSelector: null };
  const register = async (): Promise<Disposable> => {
    (await before?.registration)?.dispose();
    return host.connection.client.register(DocumentDiagnosticRequest.type, options);
  };
  const registration = register();
  announced.set(host, { isForWorkspace, registration });
  await registration;
  return true;
}

/** True for a client that supports dynamic registration of diagnostics. */
function canRegister({ textDocument }: ClientCapabilities): boolean {
  return textDocument?.diagnostic?.dynamicRegistration === true;
}

function pushTo(host: FeatureHost): void {
  const timers = new Map<string, RunningTimer>();
  host.documents.onChange(snapshot => {
    timers.get(snapshot.uri)?.cancel();
    const timer = host.runtime.startTimer(PUSH_DELAY, () => {
      timers.delete(snapshot.uri);
      // Not awaited; errors are caught and logged inside.
      void push(host, snapshot.uri);
    });
    timers.set(snapshot.uri, timer);
  });
  host.documents.onClose(uri => {
    timers.get(uri)?.cancel();
    timers.delete(uri);
    const work = { feature: 'diagnostics', uri };
    void guardWork(host, work, undefined, () => send(host, uri, undefined, []));
  });
}

async function push(host: FeatureHost, uri: string): Promise<void> {
  const version = host.documents.find(uri)?.version;
  const work = { feature: 'diagnostics', uri, ...(version === undefined ? {} : { version }) };
  await guardWork(host, work, undefined, async () => {
    const snapshot = host.documents.find(uri);
    if (snapshot) await send(host, uri, snapshot.version, diagnosticsOf(host, snapshot));
  });
}

async function send(
  host: FeatureHost,
  uri: string,
  version: number | undefined,
  items: Diagnostic[],
): Promise<void> {
  const params = { uri, diagnostics: items, ...(version === undefined ? {} : { version }) };
  await host.connection.sendDiagnostics(params);
}

function diagnosticsOf({ client }: FeatureHost, snapshot: Snapshot): Diagnostic[] {
  return toDiagnostics(snapshot, snapshot.issues, client);
}
