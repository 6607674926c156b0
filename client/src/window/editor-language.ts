import { languages, type TextDocument } from 'vscode';

/** Sets the language of a document; plain text if this VS Code does not know the language. */
export async function setLanguage(document: TextDocument, wanted: string): Promise<TextDocument> {
  if (document.languageId === wanted) return document;
  const known = await languages.getLanguages();
  const language = known.includes(wanted) ? wanted : 'plaintext';
  return document.languageId === language ? document : languages.setTextDocumentLanguage(document, language);
}
