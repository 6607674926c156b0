import { workspace, type TextDocument, type Uri } from 'vscode';

/** The open document with this URI. */
export function findDocument(uri: Uri | string | undefined): TextDocument | undefined {
  const wanted = uri?.toString();
  return workspace.textDocuments.find(document => document.uri.toString() === wanted);
}
