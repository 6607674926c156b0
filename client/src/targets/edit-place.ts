import { Range, window, workspace, type TextDocument } from 'vscode';
import { readPosition, readUri } from './arguments.ts';

/** A range of a document that a command replaces. */
export interface EditPlace {
  readonly document: TextDocument;
  readonly range: Range;
}

/**
 * The place that the arguments name by document and position, else the selection of the active editor;
 * undefined if there is neither.
 */
export async function findEditPlace(
  uriArgument: unknown,
  positionArgument: unknown,
): Promise<EditPlace | undefined> {
  const [uri, position] = [readUri(uriArgument), readPosition(positionArgument)];
  if (uri && position) {
    const { line, character } = position;
    return {
      document: await workspace.openTextDocument(uri),
      range: new Range(line, character, line, character),
    };
  }
  const editor = window.activeTextEditor;
  return editor && { document: editor.document, range: editor.selection };
}
