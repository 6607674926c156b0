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
 * The peer as a server: vscode-json-languageservice behind the same LSP library, with pulled diagnostics and nothing
 * else, so that the two pay the same for process, pipes and document sync.
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
