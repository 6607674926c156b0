import { Position, Range, ThemeColor, window, type Uri } from 'vscode';
import { Owner } from '../../base/dispose.ts';
import type { GrowingReplies } from '../../replies/growing-replies.ts';
import { describePause } from './pause-words.ts';

/** Shows the amount of hidden text behind the last line of a paused reply, as a decoration. */
export class PauseNotes extends Owner {
  readonly #growing: GrowingReplies;
  readonly #note = this.own(
    window.createTextEditorDecorationType({
      after: { color: new ThemeColor('editorCodeLens.foreground'), margin: '0 0 0 3ch' },
    }),
  );

  constructor(growing: GrowingReplies) {
    super();
    this.#growing = growing;
    this.own(growing.onDidChange(uri => this.#draw(uri)));
    this.own(
      window.onDidChangeVisibleTextEditors(editors => {
        for (const { document } of editors) if (growing.find(document.uri)) this.#draw(document.uri);
      }),
    );
  }

  #draw(uri: Uri): void {
    const reply = this.#growing.find(uri);
    const isPaused = reply !== undefined && reply.state !== 'growing';
    for (const editor of window.visibleTextEditors) {
      const { document } = editor;
      if (document.uri.toString() !== uri.toString()) continue;
      const last = document.lineAt(document.lineCount - 1).range.end;
      // If the text ends with a line break, the note is placed at the end of the line before.
      const place = last.character === 0 && last.line > 0 ? endOf(last.line - 1) : last;
      const range = new Range(document.validatePosition(place), document.validatePosition(place));
      editor.setDecorations(
        this.#note,
        isPaused ? [{ range, renderOptions: { after: { contentText: describePause(reply) } } }] : [],
      );
    }
  }
}

function endOf(line: number): Position {
  return new Position(line, Number.MAX_SAFE_INTEGER);
}
