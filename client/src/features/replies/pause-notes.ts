import { Position, Range, ThemeColor, window, type TextDocument, type Uri } from 'vscode';
import type { DisposableStore } from '../../base/dispose.ts';
import type { GrowingReplies } from '../../replies/growing-replies.ts';
import { describePause } from './pause-words.ts';

/** Shows the amount of hidden text behind the last line of a paused reply, as a decoration. */
export function showPauses(store: DisposableStore, growing: GrowingReplies): void {
  const note = store.add(
    window.createTextEditorDecorationType({
      after: { color: new ThemeColor('editorCodeLens.foreground'), margin: '0 0 0 3ch' },
    }),
  );
  const draw = (uri: Uri): void => {
    const reply = growing.find(uri);
    const isPaused = reply !== undefined && reply.state !== 'growing';
    for (const editor of window.visibleTextEditors) {
      if (editor.document.uri.toString() !== uri.toString()) continue;
      const range = endOf(editor.document);
      const after = isPaused
        ? [{ range, renderOptions: { after: { contentText: describePause(reply) } } }]
        : [];
      editor.setDecorations(note, after);
    }
  };
  store.add(growing.onDidChange(draw));
  store.add(
    window.onDidChangeVisibleTextEditors(editors => {
      for (const { document } of editors) if (growing.find(document.uri)) draw(document.uri);
    }),
  );
}

/** The end of the text, before a line break at its end. */
function endOf(document: TextDocument): Range {
  const { end } = document.lineAt(document.lineCount - 1).range;
  const place =
    end.character === 0 && end.line > 0 ? new Position(end.line - 1, Number.MAX_SAFE_INTEGER) : end;
  return new Range(document.validatePosition(place), document.validatePosition(place));
}
