import { languages, type TextDocument } from 'vscode';

/** Shows a document in a language, if this VS Code has it. */
export async function setLanguage(document: TextDocument, wanted: string): Promise<TextDocument> {
  if (document.languageId === wanted) return document;
  const known = await languages.getLanguages();
  const language = known.includes(wanted) ? wanted : 'plaintext';
  return document.languageId === language ? document : languages.setTextDocumentLanguage(document, language);
}
