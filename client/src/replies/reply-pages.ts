import { env, type Disposable, type ExtensionContext, type ViewColumn } from 'vscode';
import type { MessageLanguage } from '../../../core/catalog/protocols.ts';
import {
  isFromReply,
  isTextView,
  type FromReply,
  type PageViewName,
  type ReplyViewName,
  type ToReply,
} from '../../../wire/reply-messages.ts';
import { describeError } from '../base/log.ts';
import type { MediaFiles } from '../media/media-files.ts';
import type { TraceSource } from '../trace/trace-source.ts';
import { askToOpen } from '../window/ask-to-open.ts';
import { runCommand, showError } from '../window/messages.ts';
import { openPanel, type Panel } from '../window/panel-host.ts';
import { openAsText, openMedium, showInLanguage, type ShownCall, type WholeDocument } from './open-reply.ts';
import { chooseReplyColumn, forgetReplyWidth, takeReplyWidth } from './reply-column.ts';
import type { ReplyDocuments } from './reply-documents.ts';
import { ReplySession } from './reply-session.ts';
import { buildReplyTitle } from './reply-title.ts';
import { ReplyViews } from './reply-views.ts';

/** What pages of replies use. */
export interface PageParts {
  readonly context: Pick<ExtensionContext, 'extensionUri' | 'workspaceState'>;
  readonly source: TraceSource;
  readonly replies: ReplyDocuments;
  readonly media: MediaFiles;
  readonly running: { stop(call: string): boolean };
}

/** A page with the reply to a call. */
interface ReplyPage {
  readonly panel: Panel<ToReply>;
  session: ReplySession;
  /** The document of its reply, once the call has ended, if its request was sent from this window. */
  whole: WholeDocument | undefined;
  /** True once the next reply may not replace it. */
  stays: boolean;
}

/** The pages of replies. The next reply replaces one that has ended and is not in front. */
export class ReplyPages implements Disposable {
  readonly #parts: PageParts;
  readonly #views: ReplyViews;
  readonly #pages = new Set<ReplyPage>();

  constructor(parts: PageParts) {
    this.#parts = parts;
    this.#views = new ReplyViews(parts.context.workspaceState);
  }

  /** True if the reply to a call is shown in a page, and not as a document in a language. */
  opensPage(call: string, language: string): boolean {
    const view = this.#viewOf(call);
    return view !== undefined && !(view === language && isTextView(view));
  }

  /** Shows the reply to a call while it grows. */
  grow(call: string): void {
    this.#open(call, this.#pageView(call), undefined);
  }

  /** Shows a whole reply, which is also in a document: in the view of its agent. */
  async finish(call: string, whole: WholeDocument): Promise<void> {
    const shown = this.#find(call);
    shown?.panel.setTitle(this.#titleOf(call));
    const view = this.#viewOf(call);
    if (isTextView(view)) {
      if (shown) shown.whole = whole;
      // What the user has put in front of the page stays there.
      const isBehind = shown?.panel.isVisible === false;
      if (!shown?.session.isPaused && !isBehind) await this.#showIn(view, { call, whole }, shown, 'keep');
      return;
    }
    const page = shown ?? this.#open(call, this.#pageView(call), undefined);
    page.whole = whole;
  }

  /** Makes the next reply open beside the page of a call. */
  stay(call: string): void {
    const page = this.#find(call);
    if (page) page.stays = true;
  }

  /** Shows the reply to a stored call in a group, as the user asks. Returns false if the call is not stored. */
  read(call: string, column: ViewColumn | undefined): boolean {
    const node = this.#parts.source.find(call);
    if (!node) return false;
    this.#views.keep(node.call.agent, 'read');
    this.#open(call, 'read', column).panel.reveal();
    return true;
  }

  /** The reply whose page is in front; undefined if there is none. */
  get active(): ReplySession | undefined {
    return [...this.#pages].find(({ panel }) => panel.isActive)?.session;
  }

  dispose(): void {
    for (const { panel, session } of this.#pages) {
      session.dispose();
      panel.dispose();
    }
    this.#pages.clear();
  }

  #viewOf(call: string): ReplyViewName | undefined {
    const node = this.#parts.source.find(call);
    return node && this.#views.find(node.call.agent, node.call.protocol);
  }

  #pageView(call: string): PageViewName {
    const view = this.#viewOf(call);
    return view === 'raw' || view === 'json' ? view : 'read';
  }

  #find(call: string): ReplyPage | undefined {
    return [...this.#pages].find(({ session }) => session.call === call);
  }

  #titleOf(call: string): string {
    const node = this.#parts.source.find(call);
    if (!node) return 'Reply';
    const { status, code, duration, call: about } = node;
    // While it grows, the page itself counts what has come.
    return buildReplyTitle(about.title, { status, code, duration });
  }

  #open(call: string, view: PageViewName, column: ViewColumn | undefined): ReplyPage {
    const shown = this.#find(call);
    if (shown) {
      shown.session.show(view);
      return shown;
    }
    const old = column === undefined ? this.#findOld() : undefined;
    if (!old) return this.#create(call, view, column);
    old.session.dispose();
    old.session = this.#beginSession(old.panel, call, view);
    old.whole = undefined;
    old.session.begin();
    old.panel.setTitle(this.#titleOf(call));
    return old;
  }

  /** A page that the next reply replaces. */
  #findOld(): ReplyPage | undefined {
    return [...this.#pages].findLast(
      ({ panel, session, stays }) => !stays && !session.isOpen && !panel.isActive && panel.isVisible,
    );
  }

  #create(call: string, view: PageViewName, column: ViewColumn | undefined): ReplyPage {
    const panel: Panel<ToReply> = openPanel<FromReply, ToReply>(
      this.#parts.context.extensionUri,
      {
        viewType: 'parley.reply',
        title: this.#titleOf(call),
        bundle: 'reply',
        icon: 'parley',
        column: column ?? this.#chooseColumn(),
        keepsFocus: true,
        isMessage: isFromReply,
        onMessage: message => this.#receive(page, message),
      },
      () => {
        page.session.dispose();
        this.#pages.delete(page);
        if (this.#pages.size === 0) forgetReplyWidth();
      },
    );
    const session = this.#beginSession(panel, call, view);
    const page: ReplyPage = { panel, session, whole: undefined, stays: false };
    this.#pages.add(page);
    return page;
  }

  /** A page in front makes room for the next one in its own group. */
  #chooseColumn(): ViewColumn {
    const front = [...this.#pages].find(({ panel }) => panel.isActive)?.panel.column;
    return front ?? chooseReplyColumn();
  }

  #beginSession(panel: Panel<ToReply>, call: string, view: PageViewName): ReplySession {
    return new ReplySession(this.#parts.source, call, view, message => panel.post(message));
  }

  #receive(page: ReplyPage, message: FromReply): void {
    const { session } = page;
    switch (message.type) {
      case 'ready':
        return session.begin();
      case 'drawn':
        return session.drawn();
      case 'view':
        return this.#choose(page, message.view);
      case 'copy':
        return void env.clipboard.writeText(message.text);
      case 'openLink':
        return askToOpen(message.address);
      case 'openMedium':
        return this.#run(openMedium(this.#parts.media, session, message.part));
      case 'openText':
        return session.view === 'raw'
          ? runCommand('parley.showRaw', session.call)
          : this.#run(openAsText(this.#parts, { call: session.call, whole: page.whole }));
      case 'pause':
        return session.pause();
      case 'resume':
        return session.resume();
      case 'stop':
        return void this.#parts.running.stop(session.call);
      case 'openCall':
        return runCommand('parley.openCall', session.call);
      case 'width': {
        const column = takeReplyWidth(message.width, page.panel.column);
        if (column !== undefined) page.panel.moveTo(column);
      }
    }
  }

  #run(work: Promise<unknown>): void {
    work.catch((error: unknown) => showError(`The reply cannot be shown: ${describeError(error)}`));
  }

  #choose(page: ReplyPage, view: ReplyViewName): void {
    const { session } = page;
    const agent = session.node?.call.agent;
    if (agent !== undefined) this.#views.keep(agent, view);
    if (isTextView(view))
      this.#run(this.#showIn(view, { call: session.call, whole: page.whole }, page, 'take'));
    else session.show(view);
  }

  /** Shows a reply in a language in an editor, in place of its page. */
  async #showIn(
    language: MessageLanguage,
    shown: ShownCall,
    page: ReplyPage | undefined,
    focus: 'keep' | 'take',
  ): Promise<void> {
    const viewColumn = page?.panel.column ?? this.#chooseColumn();
    const place = { viewColumn, preview: true, ...(focus === 'take' ? { takesFocus: true as const } : {}) };
    await showInLanguage(this.#parts, shown, language, place);
    page?.panel.dispose();
  }
}
