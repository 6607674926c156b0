import {
  OverviewRulerLane,
  Range,
  TextEditorRevealType,
  ThemeColor,
  window,
  type LogOutputChannel,
  type TextEditor,
  type Uri,
} from 'vscode';
import { CONVERTED_AT, type ConvertedAtParams } from '../../../../wire/conversion-requests.ts';
import { Delay } from '../../base/delay.ts';
import { Owner } from '../../base/dispose.ts';
import { describeError } from '../../base/log.ts';
import { moveRange, moveRangeBack, toRange, toWire } from '../../conversion/conversion-source.ts';
import type { Asker } from '../../language-client/ask.ts';
import type { ConversionView } from '../../conversion/conversion-view.ts';
import type { WireRange } from '../../../../wire/places.ts';

/** Milliseconds from a cursor move to the mark on the other side. */
const PAUSE = 60;

const RULER = {
  overviewRulerColor: new ThemeColor('editorOverviewRuler.wordHighlightStrongForeground'),
  overviewRulerLane: OverviewRulerLane.Center,
};

/** A marked range on the other side. */
interface Mark {
  readonly uri: Uri;
  readonly range: Range;
}

/**
 * Marks, in the other editors, the counterpart of the selection in the active editor. Their selections are
 * not changed.
 */
export class PlaceSync extends Owner {
  readonly #server: Asker;
  readonly #log: LogOutputChannel;
  readonly #views: () => readonly ConversionView[];
  /** The mark of a value within a line. */
  readonly #value = this.own(
    window.createTextEditorDecorationType({
      backgroundColor: new ThemeColor('editor.wordHighlightStrongBackground'),
      border: '1px solid',
      borderColor: new ThemeColor('editor.wordHighlightStrongBorder'),
      ...RULER,
    }),
  );
  /** The mark of several lines: a bar, because a background would make them hard to read. */
  readonly #lines = this.own(
    window.createTextEditorDecorationType({
      isWholeLine: true,
      borderStyle: 'solid',
      borderWidth: '0 0 0 2px',
      borderColor: new ThemeColor('focusBorder'),
      ...RULER,
    }),
  );
  #marked = new Set<TextEditor>();
  readonly #soon = this.own(
    new Delay(() => {
      this.#run().catch((error: unknown) => this.#log.error(`Conversion: ${describeError(error)}`));
    }),
  );
  #round = 0;

  constructor(server: Asker, log: LogOutputChannel, views: () => readonly ConversionView[]) {
    super();
    this.#server = server;
    this.#log = log;
    this.#views = views;
    this.own(
      window.onDidChangeTextEditorSelection(({ textEditor }) => {
        if (textEditor === window.activeTextEditor) this.request();
      }),
    );
    this.own(window.onDidChangeActiveTextEditor(() => this.request()));
    this.own(window.onDidChangeVisibleTextEditors(() => this.request()));
  }

  /** Updates the marks soon. */
  request(): void {
    if (this.#views().length === 0 && this.#marked.size === 0) return;
    this.#soon.restart(PAUSE);
  }

  async #run(): Promise<void> {
    const round = ++this.#round;
    const { activeTextEditor } = window;
    const marks = activeTextEditor ? await this.#findMarks(activeTextEditor) : [];
    // The cursor has moved meanwhile; a newer round handles it.
    if (round !== this.#round) return;
    const before = this.#marked;
    this.#marked = new Set();
    for (const editor of window.visibleTextEditors) {
      if (editor === activeTextEditor) continue;
      const ranges = marks.filter(({ uri }) => isSameUri(uri, editor.document.uri)).map(({ range }) => range);
      if (ranges.length > 0) this.#show(editor, ranges);
      else if (before.has(editor)) this.#draw(editor, []);
    }
    if (activeTextEditor && before.has(activeTextEditor)) this.#draw(activeTextEditor, []);
  }

  #show(editor: TextEditor, ranges: readonly Range[]): void {
    this.#draw(editor, ranges);
    this.#marked.add(editor);
    const [first] = ranges;
    if (first && !editor.visibleRanges.some(visible => visible.intersection(first)))
      editor.revealRange(first, TextEditorRevealType.InCenterIfOutsideViewport);
  }

  #draw(editor: TextEditor, ranges: readonly Range[]): void {
    editor.setDecorations(
      this.#value,
      ranges.filter(range => range.isSingleLine),
    );
    editor.setDecorations(
      this.#lines,
      ranges.filter(range => !range.isSingleLine),
    );
  }

  /** The counterparts of an editor's selection in each conversion to which it belongs. */
  async #findMarks({ document, selection }: TextEditor): Promise<readonly Mark[]> {
    const range = new Range(selection.start, selection.end);
    const found = await Promise.all(
      this.#views().map(async view => {
        const { current, source, uri } = view;
        if (!current || !source) return undefined;
        if (isSameUri(uri, document.uri)) {
          const reported = await this.#ask(view, 'result', toWire(range));
          return reported ? { uri: source, range: toRange(moveRange(reported, current.base)) } : undefined;
        }
        const place = isSameUri(source, document.uri) ? moveRangeBack(range, current.base) : undefined;
        const shown =
          place &&
          range.intersection(toRange(current.result.source)) &&
          (await this.#ask(view, 'source', place));
        return shown ? { uri, range: toRange(shown) } : undefined;
      }),
    );
    return found.filter(mark => mark !== undefined);
  }

  #ask(view: ConversionView, side: ConvertedAtParams['side'], range: WireRange): Promise<WireRange | null> {
    return this.#server.ask(CONVERTED_AT, { keptAs: view.uri.toString(), side, range });
  }
}

function isSameUri(one: Uri, other: Uri): boolean {
  return one.toString() === other.toString();
}
