import { workspace, type Range, type TextDocument, type Uri } from 'vscode';
import type { ConvertSource } from '../../../../wire/conversion-requests.ts';
import { inlineCode } from '../../../../core/text/markup.ts';
import { toWire } from '../../conversion/conversion-source.ts';
import { FollowedRange } from '../../conversion/followed-range.ts';
import { readLanguage } from '../../targets/arguments.ts';
import { Changing } from '../../base/changing.ts';

/**
 * A document, or a range of messages in it, which moves with edits of the document. Fires when the compared text may have
 * changed.
 */
export class CostSource extends Changing {
  readonly #uri: Uri;
  #document: TextDocument;
  readonly #followed: FollowedRange | undefined;

  /** Without a range, the whole document is compared. */
  constructor(document: TextDocument, range: Range | undefined) {
    super();
    this.#uri = document.uri;
    this.#document = document;
    this.#followed = range && new FollowedRange(document, range);
    this.own(
      workspace.onDidChangeTextDocument(event => {
        if (event.document !== this.#document || event.contentChanges.length === 0) return;
        this.#followed?.follow(event);
        this.changed.fire();
      }),
    );
  }

  /** The current range; undefined for the whole document. */
  get #range(): Range | undefined {
    return this.#followed?.in(this.#document);
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
    return range ? { uri, range: toWire(range) } : { uri };
  }
}
