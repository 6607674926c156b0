import {
  EventEmitter,
  type Position,
  Range,
  TextDocumentChangeReason,
  workspace,
  type TextDocument,
  type Uri,
} from 'vscode';
import type { ConvertSource } from '../../../../wire/conversion-requests.ts';
import { inlineCode } from '../../../../core/text/markup.ts';
import { readLanguage } from '../../targets/arguments.ts';
import { Owner } from '../../base/dispose.ts';
import { followPlace, type Place } from '../../window/follow.ts';

/** A document, or a range of messages in it, which moves with edits of the document. */
export class CostSource extends Owner {
  readonly #changed = this.own(new EventEmitter<void>());
  readonly #uri: Uri;
  #document: TextDocument;
  #ends: readonly [Place, Place] | undefined;

  /** Fires when the compared text has changed or may have changed. */
  readonly onDidChange = this.#changed.event;

  /** Without a range, the whole document is compared. */
  constructor(document: TextDocument, range: Range | undefined) {
    super();
    this.#uri = document.uri;
    this.#document = document;
    this.#ends = range && [
      { offset: document.offsetAt(range.start) },
      { offset: document.offsetAt(range.end) },
    ];
    this.own(
      workspace.onDidChangeTextDocument(event => {
        if (event.document !== this.#document || event.contentChanges.length === 0) return;
        const isUndo = event.reason === TextDocumentChangeReason.Undo;
        const follow = (place: Place): Place => followPlace(place, event.contentChanges, { isUndo });
        this.#ends = this.#ends && [follow(this.#ends[0]), follow(this.#ends[1])];
        this.#changed.fire();
      }),
    );
  }

  /** The current range; undefined for the whole document. */
  get #range(): Range | undefined {
    const at = ({ offset }: Place): Position => this.#document.positionAt(offset);
    return this.#ends && new Range(at(this.#ends[0]), at(this.#ends[1]));
  }

  /** The location as Markdown: "`calls.aicf`, line 3". */
  place(): string {
    const file = inlineCode(this.#uri.path.slice(this.#uri.path.lastIndexOf('/') + 1));
    const range = this.#range;
    return range ? `${file}, line ${range.start.line + 1}` : file;
  }

  /**
   * The source for the server: a range of a document that it knows, else the text. A closed document is
   * opened again, because the server knows only open ones.
   */
  async read(): Promise<ConvertSource> {
    if (this.#document.isClosed && this.#uri.scheme !== 'untitled')
      this.#document = await workspace.openTextDocument(this.#uri);
    const range = this.#range;
    if (!readLanguage(this.#document.languageId) || this.#document.isClosed)
      return { text: this.#document.getText(range) };
    const uri = this.#uri.toString();
    return range ? { uri, range: { start: toPlain(range.start), end: toPlain(range.end) } } : { uri };
  }
}

function toPlain({ line, character }: Position): { line: number; character: number } {
  return { line, character };
}
