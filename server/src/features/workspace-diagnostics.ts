import {
  DocumentDiagnosticReportKind,
  type CancellationToken,
  type WorkspaceDiagnosticParams,
  type WorkspaceDiagnosticReport,
  type WorkspaceDocumentDiagnosticReport,
} from 'vscode-languageserver';
import { canPull, toDiagnostics } from '../diagnostic.ts';
import { guardRequest } from '../guard.ts';
import type { OpenDocument } from '../../../language/support.ts';
import type { WorkspaceFile } from '../workspace.ts';
import type { Feature, FeatureHost } from './feature.ts';

/** Number of files per partial result. */
const FILES_A_PART = 50;

/**
 * The issues of all files of the workspace, on request. Files without changes since the last request are
 * reported as unchanged.
 */
export const workspaceDiagnostics: Feature = {
  name: 'workspaceDiagnostics',
  // Registered together with the diagnostics of documents.
  capabilities: () => ({}),
  register(host) {
    if (!canPull(host.client)) return;
    const ids = new ResultIds();
    host.connection.languages.diagnostics.onWorkspace((params, token, _progress, parts) =>
      guardRequest<WorkspaceDiagnosticReport, never>(
        host,
        { feature: 'workspaceDiagnostics' },
        { items: [] },
        token,
        async () => {
          const items: WorkspaceDocumentDiagnosticReport[] = [];
          for await (const item of reportFiles(host, ids, params, token)) {
            items.push(item);
            if (parts && items.length === FILES_A_PART) parts.report({ items: items.splice(0) });
          }
          return { items };
        },
      ),
    );
  },
};

async function* reportFiles(
  host: FeatureHost,
  ids: ResultIds,
  { previousResultIds }: WorkspaceDiagnosticParams,
  token: CancellationToken,
): AsyncGenerator<WorkspaceDocumentDiagnosticReport> {
  const known = new Map(previousResultIds.map(({ uri, value }) => [uri, value]));
  for (const file of await host.workspaceTools.bind(await host.workspace.files())) {
    if (token.isCancellationRequested) return;
    const resultId = `${ids.idOf(file.document)} ${host.documents.contextSerial}`;
    const isKnown = known.get(file.uri) === resultId;
    known.delete(file.uri);
    yield isKnown ? unchanged(file, resultId) : full(file, resultId, host);
    // Checking many files takes time, so messages from the editor are handled in between.
    if (!isKnown) await host.runtime.yieldToQueue();
  }
  // Removed files have no issues.
  for (const uri of known.keys())
    yield { kind: DocumentDiagnosticReportKind.Full, uri, version: null, items: [] };
}

function unchanged({ uri, version }: WorkspaceFile, resultId: string): WorkspaceDocumentDiagnosticReport {
  return { kind: DocumentDiagnosticReportKind.Unchanged, uri, version: version ?? null, resultId };
}

function full(
  file: WorkspaceFile,
  resultId: string,
  { client, documents }: FeatureHost,
): WorkspaceDocumentDiagnosticReport {
  const { uri, version, document } = file;
  const items = toDiagnostics(file, documents.issuesOf(uri, document), client);
  return { kind: DocumentDiagnosticReportKind.Full, uri, version: version ?? null, resultId, items };
}

/** An id for each document object. A file that is read again, or with other settings, is a new object. */
class ResultIds {
  readonly #ids = new WeakMap<OpenDocument, string>();
  #last = 0;

  idOf(document: OpenDocument): string {
    const id = this.#ids.get(document) ?? `file-${++this.#last}`;
    this.#ids.set(document, id);
    return id;
  }
}
