import { window, workspace } from 'vscode';
import { readPosition, readUri } from '../../targets/arguments.ts';
import { showWarning } from '../../window/messages.ts';
import type { Command, Shared } from '../feature.ts';
import { findSelectedText, type SelectedText } from './selected-text.ts';
import type { SelectionDocuments } from './selection-documents.ts';
import { sendMany } from './send-many.ts';

/** What the commands of sending share. */
export interface SendParts extends Shared {
  readonly selections: SelectionDocuments;
}

/**
 * Sends the requests in the selected text of any document, in the JSON of their protocol; without a selection those at
 * the cursor, or at the document and position of a lens. Returns their outcomes.
 */
export const sendText: Command<SendParts> = async (parts, [target, positionArgument]) => {
  const found = (await findAt(target, positionArgument)) ?? findInEditor();
  if (!found) return refuse();
  const opened = await parts.selections.open(found.text, found.ending);
  const positions = await parts.server.requestsIn(opened.uri, undefined);
  return positions.length > 0 ? sendMany(parts, opened.uri, positions, 'stop') : refuse();
};

async function findAt(target: unknown, positionArgument: unknown): Promise<SelectedText | undefined> {
  const [uri, position] = [readUri(target), readPosition(positionArgument)];
  if (!uri || !position) return undefined;
  const document = await workspace.openTextDocument(uri);
  const lines = document.getText().split(/\r?\n/);
  return findSelectedText(document.languageId, lines, '', position.line);
}

function findInEditor(): SelectedText | undefined {
  const editor = window.activeTextEditor;
  if (!editor) return undefined;
  const { document, selection } = editor;
  const lines = document.getText().split(/\r?\n/);
  return findSelectedText(document.languageId, lines, document.getText(selection), selection.active.line);
}

function refuse(): undefined {
  return showWarning(
    'There is no request in JSON here. Select a JSON object such as {"method": "tools/list"} and send it again.',
  );
}
