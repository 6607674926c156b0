import { Range, type Disposable, type TextEditor, type Uri } from 'vscode';
import type { LanguageId } from '../../../protocol/src/catalog/languages.ts';
import type { CallNode } from '../../../protocol/src/trace/tree.ts';
import type { GrowingReplies } from './growing-replies.ts';
import type { ReplyDocuments } from './reply-documents.ts';
import { chooseReplyPlace, closeReply, showReply } from './reply-tabs.ts';
import { buildReplyTitle } from './reply-title.ts';

/** A reply that is whole within this time, in milliseconds, opens once, with its final title. */
const SETTLE = 150;

/** A reply that grows is redrawn at most this often, in milliseconds. */
const REDRAW = 100;

/** Whether a reply is in its protocol's language, or is shown as the plain text that it is. */
export type ReplyForm = 'protocol' | 'foreign';

type Outcome = Pick<CallNode, 'status' | 'code' | 'duration' | 'wire'>;

/** One reply from its first chunk to its end: a document that grows, then one with the final title in its place. */
export class LiveReply implements Disposable {
  readonly #documents: ReplyDocuments;
  readonly #title: string;
  readonly #language: LanguageId;
  readonly #growing: GrowingReplies;
  #call = '';
  #text = '';
  #timer: NodeJS.Timeout | undefined;
  #opened: Promise<TextEditor | undefined> | undefined;
  #uri: Uri | undefined;

  constructor(documents: ReplyDocuments, growing: GrowingReplies, title: string, language: LanguageId) {
    this.#documents = documents;
    this.#growing = growing;
    this.#title = title;
    this.#language = language;
  }

  /** The call whose reply this is. */
  setCall(call: string): void {
    this.#call = call;
  }

  /** What came in addition. The first text opens the document. */
  grow(added: string): void {
    this.#text += added;
    this.#timer ??= setTimeout(() => this.#draw(), this.#uri ? REDRAW : SETTLE);
  }

  /** The whole text: shown under the final title, where the growing one was. Nothing opens for an empty reply. */
  async finish(text: string, outcome: Outcome, form: ReplyForm): Promise<Uri | undefined> {
    this.dispose();
    if (text === '' && !this.#uri) return undefined;
    const language = form === 'protocol' ? this.#language : 'plaintext';
    const isCut = outcome.status === 'cancelled' || outcome.status === 'incomplete';
    const title = buildReplyTitle(this.#title, outcome);
    const uri = this.#documents.add(title, text, isCut ? 'cut' : 'whole');
    const before = await this.#opened;
    const visible = before?.visibleRanges[0]?.start;
    const selection = before?.selection;
    const after = await showReply(uri, language, chooseReplyPlace(this.#uri, this.#growing));
    if (selection) after.selection = selection;
    if (visible && visible.line > 0) after.revealRange(new Range(visible, visible));
    if (this.#uri) await closeReply(this.#uri);
    return uri;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#uri) this.#growing.delete(this.#uri);
  }

  #draw(): void {
    this.#timer = undefined;
    if (this.#uri) {
      this.#documents.update(this.#uri, this.#text);
      this.#growing.touch(this.#uri);
      return;
    }
    const running: Outcome = { status: 'open', code: undefined, duration: undefined, wire: [] };
    this.#uri = this.#documents.add(buildReplyTitle(this.#title, running), this.#text);
    const place = chooseReplyPlace(undefined, this.#growing);
    this.#growing.add(this.#uri, this.#call);
    // What cannot be shown while it grows is shown, or fails, at its end, where somebody waits.
    this.#opened = showReply(this.#uri, this.#language, place).catch(() => undefined);
  }
}
