import { EndOfLine, Range, workspace, type TextDocument, type Uri } from 'vscode';
import { escapeText } from '../../../../language/aicl/escapes.ts';
import { TEXT_AT, type TextAnswer } from '../../../../wire/text-requests.ts';
import type { Asker } from '../../language-client/ask.ts';
import { askAt } from '../../window/ask-at.ts';
import { showInStatusBar } from '../../window/messages.ts';
import { toRange } from '../../conversion/conversion-source.ts';
import { isEditable, openAgain } from '../../tensor/find-tensor.ts';
import { followPlace, type OffsetChange, type Place } from '../../window/follow.ts';
import { findReplacement } from '../../tensor/value-text.ts';
import { replaceText } from '../../window/replace-text.ts';

/** The length of the bracket, the letter and the colon before a text. */
const HEAD_LENGTH = 3;
const SHOW_MS = 10_000;

/** A text value of a message as a file. It is followed through edits of its document. */
export class TextFile {
  readonly original: Uri;
  readonly canEdit: boolean;
  readonly #server: Asker;
  /** The position of the opening bracket, which does not move when text is typed at the start of the value. */
  #place: Place;
  #text: string | undefined;
  /** Increases with each change. */
  version = Date.now();

  constructor(server: Asker, document: TextDocument, { range, text }: TextAnswer) {
    this.original = document.uri;
    this.canEdit = isEditable(document.uri);
    this.#server = server;
    this.#place = { offset: document.offsetAt(toRange(range).start) - HEAD_LENGTH };
    this.#text = text;
  }

  /** The text as last read or written; undefined once it no longer exists. */
  get text(): string | undefined {
    return this.#text;
  }

  /** True if this is the text of an answer for its document. */
  isAt(document: TextDocument, { range }: TextAnswer): boolean {
    const start = document.offsetAt(toRange(range).start);
    return String(document.uri) === String(this.original) && start - HEAD_LENGTH === this.#place.offset;
  }

  follow(changes: readonly OffsetChange[], options: { readonly isUndo: boolean }): void {
    this.#place = followPlace(this.#place, changes, options);
  }

  /** Reads the text again. */
  async refresh(): Promise<void> {
    this.#keep((await this.#find())?.answer.text);
  }

  /** Writes the text into its document. Returns a sentence if it was not written. */
  async write(text: string): Promise<string | undefined> {
    const found = await this.#find();
    if (!found) return 'its text is no longer in its document; copy what you wrote';
    const { document, answer } = found;
    const range = toRange(answer.range);
    const lineEnd = document.eol === EndOfLine.CRLF ? '\r\n' : '\n';
    const written = escapeText(text).replaceAll('\n', lineEnd);
    const { start, end, text: newText } = findReplacement(document.getText(range), written);
    const from = document.offsetAt(range.start);
    const changed = new Range(document.positionAt(from + start), document.positionAt(from + end));
    const before = this.#text;
    // Stored before the edit, whose change event arrives like any other.
    this.#keep(text);
    if ((start < end || newText !== '') && !(await replaceText(this.original, changed, newText))) {
      this.#keep(before);
      return 'its document takes no edit now; try again';
    }
    const signed = answer.isSigned ? ' The message is signed: its signature no longer fits.' : '';
    showInStatusBar(
      `Written to ${workspace.asRelativePath(this.original)}: save it there.${signed}`,
      SHOW_MS,
    );
    return undefined;
  }

  async #find(): Promise<{ readonly document: TextDocument; readonly answer: TextAnswer } | undefined> {
    const document = await openAgain(this.original);
    if (!document) return undefined;
    const offset = (): number => this.#place.offset + HEAD_LENGTH;
    const answer = await askAt(this.#server, TEXT_AT, document, current => current.positionAt(offset()));
    // If the text was deleted, its position may lie in another one.
    const isSame = answer && document.offsetAt(toRange(answer.range).start) === offset();
    return isSame ? { document, answer } : undefined;
  }

  #keep(text: string | undefined): void {
    if (text !== this.#text) this.version++;
    this.#text = text;
  }
}
