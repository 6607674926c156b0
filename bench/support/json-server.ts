import { getLanguageService } from 'vscode-json-languageservice';
import {
  createConnection,
  ProposedFeatures,
  StreamMessageReader,
  StreamMessageWriter,
  TextDocuments,
  TextDocumentSyncKind,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';

/**
 * The peer as a server: vscode-json-languageservice with the same LSP library and only pull diagnostics, so
 * that both have the same cost of process, pipes and document synchronization.
 */
const connection = createConnection(
  ProposedFeatures.all,
  new StreamMessageReader(process.stdin),
  new StreamMessageWriter(process.stdout),
);
const documents = new TextDocuments(TextDocument);
const service = getLanguageService({});

connection.onInitialize(() => ({
  capabilities: {
    textDocumentSync: TextDocumentSyncKind.Incremental,
    diagnosticProvider: { interFileDependencies: false, workspaceDiagnostics: false },
  },
}));

connection.languages.diagnostics.on(async ({ textDocument }) => {
  const document = documents.get(textDocument.uri);
  if (!document) return { kind: 'full', items: [] };
  return { kind: 'full', items: await service.doValidation(document, service.parseJSONDocument(document)) };
});

documents.listen(connection);
connection.listen();
