import {
  DocumentDiagnosticReportKind,
  DocumentDiagnosticRequest,
  type ClientCapabilities,
  type Diagnostic,
  type DocumentDiagnosticReport,
} from 'vscode-languageserver';
import type { Snapshot } from '../documents.ts';
import { guardWork } from '../guard.ts';
import { toDiagnostic } from '../lsp.ts';
import type { RunningTimer } from '../runtime.ts';
import { requestFeature, type Feature, type FeatureHost } from './feature.ts';

/** A client that only listens is told this many milliseconds after the last edit. */
const PUSH_DELAY = 100;

/** Issues: pulled by a client that can ask, pushed to any other, never both. */
export const diagnostics: Feature = {
  name: 'diagnostics',
  capabilities: client => (canPull(client) ? pulled.capabilities(client) : {}),
  register(host) {
    if (canPull(host.client)) pulled.register(host);
    else pushTo(host);
  },
  async refresh(host, change) {
    if (change !== 'settings' || !canPull(host.client)) return;
    // Other clients need no word: new settings give new snapshots, and those are pushed.
    if (host.client.workspace?.diagnostics?.refreshSupport === true) {
      await host.connection.languages.diagnostics.refresh();
    }
  },
};

const pulled = requestFeature({
  name: 'diagnostics',
  type: DocumentDiagnosticRequest.type,
  capabilities: () => ({
    diagnosticProvider: { identifier: 'parley', interFileDependencies: false, workspaceDiagnostics: false },
  }),
  neutral: { kind: DocumentDiagnosticReportKind.Full, items: [] },
  answer(snapshot, params): DocumentDiagnosticReport {
    const resultId = String(snapshot.serial);
    return params.previousResultId === resultId
      ? { kind: DocumentDiagnosticReportKind.Unchanged, resultId }
      : { kind: DocumentDiagnosticReportKind.Full, resultId, items: diagnosticsOf(snapshot) };
  },
});

function pushTo(host: FeatureHost): void {
  const timers = new Map<string, RunningTimer>();
  host.documents.onChange(snapshot => {
    timers.get(snapshot.uri)?.cancel();
    const timer = host.runtime.startTimer(PUSH_DELAY, () => {
      timers.delete(snapshot.uri);
      // Nobody waits for a push; its faults are caught and logged inside.
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
    if (snapshot) await send(host, uri, snapshot.version, diagnosticsOf(snapshot));
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

function diagnosticsOf(snapshot: Snapshot): Diagnostic[] {
  return snapshot.issues.map(issue => toDiagnostic(snapshot.document, issue));
}

function canPull(client: ClientCapabilities): boolean {
  return client.textDocument?.diagnostic !== undefined;
}
