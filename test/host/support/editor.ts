import assert from 'node:assert/strict';
import {
  commands,
  Range,
  window,
  workspace,
  type DocumentSymbol,
  type Position,
  type TextDocument,
  type Uri,
} from 'vscode';
import { openScratch } from './parley.ts';

const PAUSE_MS = 50;
const PATIENCE_MS = 60_000;

/** Asks again and again until an answer is there: what a server answers once it runs and has read an edit. */
export async function ask<Value>(
  what: string | (() => string),
  find: () => Thenable<Value | undefined>,
): Promise<Value> {
  for (let waited = 0; waited < PATIENCE_MS; waited += PAUSE_MS) {
    const found = await find();
    if (found !== undefined) return found;
    await new Promise(resolve => setTimeout(resolve, PAUSE_MS));
  }
  throw new Error(`waited in vain for ${typeof what === 'string' ? what : what()}`);
}

/** Opens a new file in front and waits until the server knows it. */
export async function openInFront(name: string, content: string): Promise<TextDocument> {
  const document = await openScratch(name, content);
  await window.showTextDocument(document);
  await ask(`the outline of ${name}`, () => outlineOf(document.uri).then(found => found ?? undefined));
  return document;
}

/** The names of an outline, those inside others after them. */
export async function outlineOf(uri: Uri): Promise<readonly string[] | undefined> {
  const symbols = await commands.executeCommand<DocumentSymbol[] | undefined>(
    'vscode.executeDocumentSymbolProvider',
    uri,
  );
  const list = (all: readonly DocumentSymbol[]): string[] =>
    all.flatMap(({ name, children }) => [name, ...list(children)]);
  return symbols && list(symbols);
}

/** Where a text begins in a document, and as many characters further. */
export function positionOf(document: TextDocument, text: string, further = 0): Position {
  const at = document.getText().indexOf(text);
  assert.ok(at >= 0, `${text} is not in ${document.uri.path}`);
  return document.positionAt(at + further);
}

/** All of a document. */
export function wholeOf(document: TextDocument): Range {
  return new Range(document.positionAt(0), document.positionAt(document.getText().length));
}

/** Deletes a file of the window's folder. */
export async function deleteScratch(uri: Uri): Promise<void> {
  await workspace.fs.delete(uri);
}
