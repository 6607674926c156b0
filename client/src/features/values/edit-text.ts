import { ViewColumn, window, workspace } from 'vscode';
import { TEXT_AT } from '../../../../wire/text-requests.ts';
import { askAt } from '../../window/ask-at.ts';
import { showWarning } from '../../window/messages.ts';
import { listTabs } from '../../window/tabs.ts';
import { findCursor, readPosition, readUri } from '../../targets/arguments.ts';
import type { Command } from '../feature.ts';
import type { ValuesParts } from './parts.ts';

/**
 * Opens the text value of a message at the cursor, or at the place of the arguments, decoded in an editor
 * beside. Returns why none was opened.
 */
export const editText: Command<ValuesParts> = async ({ server, texts }, [uriArgument, positionArgument]) => {
  const [uri, position] = [readUri(uriArgument), readPosition(positionArgument)];
  const place = uri && position ? { uri, position } : findCursor();
  const document = place && (await workspace.openTextDocument(place.uri));
  const answer = document && (await askAt(server, TEXT_AT, document, () => place.position));
  const problem = answer ? describeReturn(answer.text) : NO_TEXT;
  if (!answer || problem !== undefined) {
    showWarning(problem ?? NO_TEXT);
    return problem;
  }
  const file = texts.open(document, answer);
  const viewColumn = listTabs(file)[0]?.group.viewColumn ?? ViewColumn.Beside;
  await window.showTextDocument(file, { viewColumn, preview: false });
  return undefined;
};

const NO_TEXT = 'Put the cursor into a text in an .aicl file, then try again.';

/** Refuses texts with carriage returns, because an editor would change them silently. */
function describeReturn(text: string): string | undefined {
  return text.includes('\r')
    ? 'This text contains carriage returns (\\u000D), which an editor turns into line feeds: edit it in its message.'
    : undefined;
}
