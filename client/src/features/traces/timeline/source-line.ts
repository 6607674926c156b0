import { Range, Uri, window, workspace } from 'vscode';
import { showWarning } from '../../../window/messages.ts';
import { FileRefusal, openFile } from '../../../base/read-file.ts';

/** The position of a request in a file. */
interface SourceLine {
  readonly uri: string;
  readonly line: number;
}

/**
 * Shows the request of a call in its file. Only files in the folders of this window are opened, because a
 * trace file can name any file.
 */
export async function openSourceLine(source: SourceLine | undefined): Promise<void> {
  const uri = source && findFile(source.uri);
  if (!source || !uri) return showWarning('The file of this request is not in the folders of this window.');
  try {
    const document = await openFile(uri);
    const line = Math.max(0, Math.min(source.line, document.lineCount - 1));
    await window.showTextDocument(document, { selection: new Range(line, 0, line, 0) });
  } catch (error) {
    const reason = error instanceof FileRefusal ? error.message : 'is gone';
    showWarning(`The file of this request ${reason}.`);
  }
}

function findFile(text: string): Uri | undefined {
  try {
    const uri = Uri.parse(text, true);
    return workspace.getWorkspaceFolder(uri) && uri;
  } catch {
    return undefined;
  }
}
