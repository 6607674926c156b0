import { Range, type Disposable, type TextEditor, type Uri } from 'vscode';
import { isMessageLanguage, type LanguageId } from '../../../core/catalog/languages.ts';
import type { Outcome } from '../../../trace/words.ts';
import { layOutJson } from '../base/lay-out-json.ts';
import { Delay } from '../base/delay.ts';
import type { GrowingReplies, GrowingReply } from './growing-replies.ts';
import type { ReplyDocuments } from './reply-documents.ts';
import { languageOfJson } from './reply-language.ts';
import type { ReplyPages } from './reply-pages.ts';
import { chooseReplyPlace, closeReply, hasTab, isBehind, showReply, whenInFront } from './reply-tabs.ts';
import { buildReplyTitle } from './reply-title.ts';

/** A reply that completes within this time, in milliseconds, is opened only once, with its final title. */
const SETTLE = 150;

/** The minimum interval between redraws of a growing reply, in milliseconds. */
const REDRAW = 100;

/** Longer replies in JSON are shown as they were received. */
const LONGEST_LAID_OUT = 1_000_000;

/** JSON on one line, laid out with one line per member. Any other text is unchanged. */
function layOutLine(text: string): string {
  const isLine = text.length <= LONGEST_LAID_OUT && !/[\r\n]/.test(text.trim());
  return isLine ? layOutJson(text) : text;
}

/** Whether a reply is in its protocol's language, or is shown as plain text. */
export type ReplyForm = 'protocol' | 'foreign';

/** A complete reply: its document, language and text. */
interface WholeReply {
  readonly uri: Uri;
  readonly language: string;
  readonly text: string;
}

/** Where live replies are shown. */
export interface LiveReplyParts {
  readonly replies: ReplyDocuments;
  readonly growing: GrowingReplies;
  readonly pages: Pick<ReplyPages, 'opensPage' | 'grow' | 'finish' | 'stay'>;
}

/**
 * A reply from its first chunk to its end: a growing document, replaced by one with the final title. While
 * the view is paused, the document stays unchanged, even beyond the end of the reply.
 */
export class LiveReply implements GrowingReply, Disposable {
  readonly #documents: ReplyDocuments;
  readonly #pages: LiveReplyParts['pages'];
  readonly #title: string;
  readonly #language: LanguageId;
  readonly #growing: GrowingReplies;
  #call = '';
  #text = '';
  /** The number of characters in the document. */
  #shown = 0;
  #state: GrowingReply['state'] = 'growing';
  #whole: WholeReply | undefined;
  #stays = false;
  #isInPage = false;
  readonly #drawing = new Delay(() => this.#draw());
  #opened: Promise<TextEditor | undefined> | undefined;
  #uri: Uri | undefined;

  constructor({ replies, growing, pages }: LiveReplyParts, title: string, language: LanguageId) {
    this.#documents = replies;
    this.#growing = growing;
    this.#pages = pages;
    this.#title = title;
    this.#language = language;
  }

  /** Sets the call whose reply this is. */
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
    // The final text may be shorter, if it is not in the protocol's language.
    return Math.max(0, this.#text.length - this.#shown);
  }

  /** True once a part of the reply has arrived. */
  get hasBegun(): boolean {
    return this.#text !== '';
  }

  /** Appends text. The first text opens the document. */
  grow(added: string): void {
    this.#text += added;
    this.#drawing.ask(this.#uri ? REDRAW : SETTLE);
  }

  /** The agent said how far it is. Returns true if the page of the reply shows that. */
  step(): boolean {
    const isInPage = !this.#uri && this.#pages.opensPage(this.#call, this.#languageOf(this.#text));
    if (isInPage) this.#drawing.ask(SETTLE);
    return isInPage;
  }

  /** Makes the next reply open beside this one instead of in its place. */
  stay(): void {
    this.#stays = true;
    this.#pages.stay(this.#call);
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
      // The document may have been removed meanwhile because of other replies, so its text is set again.
      this.#documents.update(whole.uri, whole.text);
      await this.#show(whole);
      return this.#growing.delete(this.#uri);
    }
    this.#drawing.dispose();
    this.#state = 'growing';
    this.#growing.update(this.#uri);
    this.#draw();
  }

  /**
   * Shows the complete text under the final title, in place of the growing document; JSON on one line is laid out. If another
   * tab is in front of that document, this waits until the user opens it. An empty reply opens nothing.
   */
  async finish(received: string, outcome: Outcome, form: ReplyForm): Promise<Uri | undefined> {
    this.#drawing.dispose();
    if (received === '' && !this.#uri && !this.#isInPage) return undefined;
    const language = form === 'protocol' ? this.#languageOf(received) : 'plaintext';
    const text = language === 'json' ? layOutLine(received) : received;
    const isCut = outcome.status === 'cancelled' || outcome.status === 'incomplete';
    const title = buildReplyTitle(this.#title, outcome);
    const uri = this.#documents.add(title, text, isCut ? 'cut' : 'whole', this.#call);
    const whole = { uri, language, text };
    if (!this.#uri && this.#pages.opensPage(this.#call, language)) {
      await this.#pages.finish(this.#call, whole);
      return uri;
    }
    if (this.#uri && this.#state === 'paused' && hasTab(this.#uri.toString())) {
      this.#state = 'held';
      this.#whole = whole;
      const paused = this.#text.slice(0, this.#shown);
      this.#text = text;
      if (isBehind(this.#uri)) this.#growing.update(this.#uri);
      else await this.#retitle(this.#uri, paused, buildReplyTitle(`${this.#title} paused`, outcome));
      return uri;
    }
    this.dispose();
    if (this.#uri && isBehind(this.#uri)) {
      this.#documents.update(this.#uri, text);
      whenInFront(this.#uri, () => void this.#show(whole));
    } else await this.#show(whole);
    return uri;
  }

  dispose(): void {
    this.#drawing.dispose();
    if (this.#uri && this.#state !== 'held') this.#growing.delete(this.#uri);
  }

  /** Shows the text of a paused view under another title, which the title of an open tab requires. */
  async #retitle(before: Uri, text: string, title: string): Promise<void> {
    const uri = this.#documents.add(title, text, 'cut', this.#call);
    this.#growing.delete(before);
    await this.#show({ uri, language: this.#language });
    this.#uri = uri;
    this.#growing.add(uri, this);
  }

  /** Shows a document in place of the current one, at the same scroll position. */
  async #show({ uri, language }: Pick<WholeReply, 'uri' | 'language'>): Promise<void> {
    const before = await this.#opened;
    const visible = before?.visibleRanges[0]?.start;
    const selection = before?.selection;
    const place = chooseReplyPlace(this.#uri, this.#growing);
    const preview = place.preview && !this.#stays;
    const after = await showReply(uri, language, { ...place, preview });
    if (selection) after.selection = selection;
    if (visible && visible.line > 0) after.revealRange(new Range(visible, visible));
    this.#opened = Promise.resolve(after);
    if (this.#uri) await closeReply(this.#uri);
  }

  #draw(): void {
    // The page reads the reply itself.
    if (this.#isInPage) return;
    if (!this.#uri && this.#pages.opensPage(this.#call, this.#languageOf(this.#text))) {
      this.#isInPage = true;
      return this.#pages.grow(this.#call);
    }
    if (this.#uri) {
      if (this.#state === 'growing') {
        this.#shown = this.#text.length;
        this.#documents.update(this.#uri, this.#text);
      }
      return this.#growing.touch(this.#uri);
    }
    const running: Outcome = { status: 'open', code: undefined, duration: undefined };
    this.#shown = this.#text.length;
    this.#uri = this.#documents.add(buildReplyTitle(this.#title, running), this.#text, 'whole', this.#call);
    const place = chooseReplyPlace(undefined, this.#growing);
    this.#growing.add(this.#uri, this);
    // An error is ignored here; the final display repeats it where the caller awaits it.
    const language = this.#languageOf(this.#text);
    this.#opened = showReply(this.#uri, language, place).catch(() => undefined);
  }

  /** The editor language: a reply to a request in JSON is plain JSON or a stream of events. */
  #languageOf(text: string): string {
    return isMessageLanguage(this.#language) ? this.#language : languageOfJson(text);
  }
}
