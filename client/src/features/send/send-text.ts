import { window } from 'vscode';
import { showWarning } from '../../window/messages.ts';
import type { Command, Shared } from '../feature.ts';
import { findSelectedText } from './selected-text.ts';
import type { SelectionDocuments } from './selection-documents.ts';
import { sendMany } from './send-many.ts';

/** What the commands of sending share. */
export interface SendParts extends Shared {
  readonly selections: SelectionDocuments;
}

/**
 * Sends the requests in the selected text of any document, in the JSON of their protocol; without a selection those at
 * the cursor. Returns their outcomes.
 */
export const sendText: Command<SendParts> = async parts => {
  const editor = window.activeTextEditor;
  if (!editor) return refuse();
  const { document, selection } = editor;
  const { text, ending } = findSelectedText(
    document.languageId,
    document.getText().split(/\r?\n/),
    document.getText(selection),
    selection.active.line,
  );
  const opened = await parts.selections.open(text, ending);
  const positions = await parts.server.requestsIn(opened.uri, undefined);
  return positions.length > 0 ? sendMany(parts, opened.uri, positions, 'stop') : refuse();
};

function refuse(): undefined {
  showWarning(
    'There is no request in JSON here. Select a JSON object such as {"method": "tools/list"} and send it again.',
    new Map(),
  );
  return undefined;
}
