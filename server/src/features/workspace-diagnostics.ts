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

/** A client that takes results in parts gets those of so many files at once. */
const FILES_A_PART = 50;

/** The issues of all files of the workspace, on request; files that did not change since the last one are named alone. */
export const workspaceDiagnostics: Feature = {
  name: 'workspaceDiagnostics',
  // They are announced along with those of documents.
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
    const resultId = `${ids.idOf(file.document)} ${host.documents.environmentSerial}`;
    const isKnown = known.get(file.uri) === resultId;
    known.delete(file.uri);
    yield isKnown ? unchanged(file, resultId) : full(file, resultId, host);
    // Checking many files takes a while: the editor's own messages go first.
    if (!isKnown) await host.runtime.yieldToQueue();
  }
  // What is gone has no issues.
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

/** A name for each document object: a file that is read again, or under other settings, is another one. */
class ResultIds {
  readonly #ids = new WeakMap<OpenDocument, string>();
  #last = 0;

  idOf(document: OpenDocument): string {
    const id = this.#ids.get(document) ?? `file-${++this.#last}`;
    this.#ids.set(document, id);
    return id;
  }
}
