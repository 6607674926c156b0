import {
  Range,
  TextDocumentChangeReason,
  ViewColumn,
  window,
  workspace,
  type TextDocument,
  type Uri,
} from 'vscode';
import type { Tensor } from '../../../../tensor/tensor.ts';
import type { Subject } from '../../../../wire/inspector-messages.ts';
import type { Asker } from '../../language-client/ask.ts';
import { Changing } from '../../base/changing.ts';
import { describeError } from '../../base/log.ts';
import { Throttle } from '../../base/throttle.ts';
import {
  findTensor,
  isEditable,
  nameOf,
  openAgain,
  placeOf,
  readFound,
  type FoundTensor,
} from '../../tensor/find-tensor.ts';
import { followPlace, type Place } from '../../window/follow.ts';
import { isSameTensor, type TensorReading, type TensorSource } from './source.ts';
import { findReplacement, rewriteValue } from '../../tensor/value-text.ts';
import { showInStatusBar } from '../../window/messages.ts';
import { listTabs } from '../../window/tabs.ts';
import { replaceText } from '../../window/replace-text.ts';

const GONE = 'This tensor is no longer in the document.';
const CLOSED = 'The document of this tensor can no longer be opened.';
const CHANGED = 'The tensor changed in its document meanwhile, so nothing was written. Try again.';
/** Reading of LightAICL 3.4. */
const SIGNED = 'The message is signed: its signature no longer fits.';
/** The maximum number of attempts if a document is closed while it is read. */
const MAX_TRIES = 3;
const SIGNED_MS = 10_000;
const REFUSED = 'The document takes no edit now, so nothing was written.';

/** A tensor of a message in a document, which is followed through edits. */
export class MessageSource extends Changing implements TensorSource {
  readonly #server: Asker;
  readonly #uri: Uri;
  readonly #throttle = this.own(new Throttle(() => this.changed.fire()));
  /** The position of the value's opening bracket. */
  #place: Place;
  /** The position in the saved file while the document is dirty, because closing it may discard the edits. */
  #savedPlace: Place | undefined;
  #subject: Subject;
  /** True if the last reading found no tensor, which is also the result if the server learns first of a closing. */
  #isMissing = false;
  readonly write: TensorSource['write'];

  constructor(server: Asker, { document, range, answer }: FoundTensor) {
    super();
    const { uri } = document;
    this.#server = server;
    this.#uri = uri;
    this.#place = { offset: document.offsetAt(range.start) };
    if (document.isDirty) this.#savedPlace = this.#place;
    const canEdit = isEditable(uri);
    this.#subject = { id: `message:${++ids}`, name: nameOf(answer), place: placeOf(uri, answer), canEdit };
    if (canEdit) this.write = (before, after) => this.#write(before, after);
    const isOurs = (other: TextDocument): boolean => other.uri.toString() === uri.toString();
    this.own(
      workspace.onDidChangeTextDocument(({ document: changed, contentChanges, reason }) => {
        if (!isOurs(changed) || contentChanges.length === 0) return;
        this.#savedPlace = changed.isDirty ? (this.#savedPlace ?? this.#place) : undefined;
        const isUndo = reason === TextDocumentChangeReason.Undo;
        this.#place = followPlace(this.#place, contentChanges, { isUndo });
        this.#throttle.request();
      }),
    );
    this.own(
      workspace.onDidSaveTextDocument(saved => {
        if (isOurs(saved)) this.#savedPlace = undefined;
      }),
    );
    this.own(
      workspace.onDidCloseTextDocument(closed => {
        // A change of the language is reported as closing and reopening the document.
        if (!isOurs(closed) || workspace.textDocuments.includes(closed)) return;
        if (!this.#savedPlace && !this.#isMissing) return;
        this.#place = this.#savedPlace ?? this.#place;
        this.#savedPlace = undefined;
        this.#throttle.request();
      }),
    );
    this.own(workspace.onDidOpenTextDocument(opened => isOurs(opened) && this.#throttle.request()));
  }

  /** True if both are the same tensor of the same document. */
  isSame(other: MessageSource): boolean {
    return this.#uri.toString() === other.#uri.toString() && this.#place.offset === other.#place.offset;
  }

  /** True if its opening bracket is at an offset of a document. */
  isAt(uri: Uri, offset: number): boolean {
    return this.#uri.toString() === uri.toString() && this.#place.offset === offset;
  }

  async read(): Promise<TensorReading> {
    const fault = (problem: string): TensorReading => ({
      subject: this.#subject,
      content: { kind: 'fault', problem },
    });
    try {
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const document = await openAgain(this.#uri);
        if (!document) return fault(CLOSED);
        const found = await this.#find(document);
        this.#isMissing = false;
        if (found)
          return {
            subject: this.#subject,
            content: readFound(found),
            where: `message ${found.answer.message}`,
          };
        // Closed meanwhile: opens it again.
        if (!document.isClosed) break;
      }
      this.#isMissing = true;
      return fault(GONE);
    } catch (error) {
      return fault(`The tensor cannot be read: ${describeError(error)}`);
    }
  }

  async reveal(): Promise<void> {
    const document = await openAgain(this.#uri);
    const found = document && (await this.#find(document));
    if (!document) return;
    await window.showTextDocument(document, {
      viewColumn: listTabs(this.#uri)[0]?.group.viewColumn ?? ViewColumn.One,
      ...(found && { selection: new Range(found.range.start, found.range.start) }),
    });
  }

  async #find(document: TextDocument): Promise<FoundTensor | undefined> {
    // Behind the opening bracket, because a value that ends before the bracket would be touched as well.
    const found = await findTensor(this.#server, document, current =>
      current.positionAt(this.#place.offset + 1),
    );
    if (!found) return undefined;
    this.#place = { offset: document.offsetAt(found.range.start) };
    this.#subject = {
      ...this.#subject,
      name: nameOf(found.answer),
      place: placeOf(this.#uri, found.answer),
    };
    return found;
  }

  async #write(before: Tensor, after: Tensor): Promise<string | undefined> {
    const document = await openAgain(this.#uri);
    const found = document && (await this.#find(document));
    if (!found) return CHANGED;
    const current = readFound(found);
    if (current.kind !== 'ok' || !isSameTensor(current.tensor, before)) return CHANGED;
    const text = document.getText(found.range);
    const { start, end, text: newText } = findReplacement(text, rewriteValue(text, before, after));
    if (start === end && newText === '') return undefined;
    const from = document.offsetAt(found.range.start);
    const changed = new Range(document.positionAt(from + start), document.positionAt(from + end));
    if (!(await replaceText(this.#uri, changed, newText))) return REFUSED;
    if (found.answer.isSigned) showInStatusBar(SIGNED, SIGNED_MS);
    return undefined;
  }
}

let ids = 0;
