import { Range, type Disposable, type TextEditor, type Uri } from 'vscode';
import type { LanguageId } from '../../../core/catalog/languages.ts';
import type { Outcome } from '../../../trace/words.ts';
import { Delay } from '../delay.ts';
import type { GrowingReplies, GrowingReply } from './growing-replies.ts';
import type { ReplyDocuments } from './reply-documents.ts';
import { chooseReplyPlace, closeReply, hasTab, showReply } from './reply-tabs.ts';
import { buildReplyTitle } from './reply-title.ts';

/** A reply that is whole within this time, in milliseconds, opens once, with its final title. */
const SETTLE = 150;

/** A reply that grows is redrawn at most this often, in milliseconds. */
const REDRAW = 100;

/** Whether a reply is in its protocol's language, or is shown as the plain text that it is. */
export type ReplyForm = 'protocol' | 'foreign';

/** A reply as a whole: its document and the language in which that is shown. */
interface WholeReply {
  readonly uri: Uri;
  readonly language: string;
  readonly text: string;
}

/**
 * One reply from its first chunk to its end: a document that grows, then one with the final title in its place. Where the
 * view is paused, the document stays as it is, beyond the end of the reply, until it goes on.
 */
export class LiveReply implements GrowingReply, Disposable {
  readonly #documents: ReplyDocuments;
  readonly #title: string;
  readonly #language: LanguageId;
  readonly #growing: GrowingReplies;
  #call = '';
  #text = '';
  /** Characters that the document shows. */
  #shown = 0;
  #state: GrowingReply['state'] = 'growing';
  #whole: WholeReply | undefined;
  #stays = false;
  readonly #drawing = new Delay(() => this.#draw());
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

  get call(): string {
    return this.#call;
  }

  get state(): GrowingReply['state'] {
    return this.#state;
  }

  get waiting(): number {
    // What an agent sent in the end may be shorter: a text that is none of the protocol.
    return Math.max(0, this.#text.length - this.#shown);
  }

  /** True once something of it has come. */
  get hasBegun(): boolean {
    return this.#text !== '';
  }

  /** What came in addition. The first text opens the document. */
  grow(added: string): void {
    this.#text += added;
    this.#drawing.ask(this.#uri ? REDRAW : SETTLE);
  }

  /** Has the next reply open beside this one, not in its place. */
  stay(): void {
    this.#stays = true;
  }

  pause(): void {
    if (this.#state !== 'growing' || !this.#uri) return;
    this.#state = 'paused';
    this.#growing.update(this.#uri);
  }

  async resume(): Promise<void> {
    if (!this.#uri || this.#state === 'growing') return;
    if (this.#whole) {
      const whole = this.#whole;
      this.#whole = undefined;
      // So many replies may have come meanwhile that it was no longer kept.
      this.#documents.update(whole.uri, whole.text);
      await this.#showWhole(whole);
      this.#growing.delete(this.#uri);
      return;
    }
    this.#drawing.dispose();
    this.#state = 'growing';
    this.#growing.update(this.#uri);
    this.#draw();
  }

  /** The whole text: shown under the final title, where the growing one was. Nothing opens for an empty reply. */
  async finish(text: string, outcome: Outcome, form: ReplyForm): Promise<Uri | undefined> {
    this.#drawing.dispose();
    if (text === '' && !this.#uri) return undefined;
    const language = form === 'protocol' ? this.#language : 'plaintext';
    const isCut = outcome.status === 'cancelled' || outcome.status === 'incomplete';
    const title = buildReplyTitle(this.#title, outcome);
    const uri = this.#documents.add(title, text, isCut ? 'cut' : 'whole', this.#call);
    const whole = { uri, language, text };
    if (this.#uri && this.#state === 'paused' && hasTab(this.#uri.toString())) {
      this.#state = 'held';
      this.#text = text;
      this.#whole = whole;
      this.#growing.update(this.#uri);
      return uri;
    }
    this.dispose();
    await this.#showWhole(whole);
    return uri;
  }

  dispose(): void {
    this.#drawing.dispose();
    if (this.#uri && this.#state !== 'held') this.#growing.delete(this.#uri);
  }

  async #showWhole({ uri, language }: WholeReply): Promise<void> {
    const before = await this.#opened;
    const visible = before?.visibleRanges[0]?.start;
    const selection = before?.selection;
    const place = chooseReplyPlace(this.#uri, this.#growing);
    const preview = place.preview && !this.#stays;
    const after = await showReply(uri, language, { ...place, preview });
    if (selection) after.selection = selection;
    if (visible && visible.line > 0) after.revealRange(new Range(visible, visible));
    if (this.#uri) await closeReply(this.#uri);
  }

  #draw(): void {
    if (this.#uri) {
      if (this.#state === 'growing') {
        this.#shown = this.#text.length;
        this.#documents.update(this.#uri, this.#text);
      }
      this.#growing.touch(this.#uri);
      return;
    }
    const running: Outcome = { status: 'open', code: undefined, duration: undefined };
    this.#shown = this.#text.length;
    this.#uri = this.#documents.add(buildReplyTitle(this.#title, running), this.#text, 'whole', this.#call);
    const place = chooseReplyPlace(undefined, this.#growing);
    this.#growing.add(this.#uri, this);
    // What cannot be shown while it grows is shown, or fails, at its end, where somebody waits.
    this.#opened = showReply(this.#uri, this.#language, place).catch(() => undefined);
  }
}
