import { commands, Range, ViewColumn, window, type Disposable, type TextEditor, type Uri } from 'vscode';
import type { LanguageId } from '../../../protocol/src/catalog/languages.ts';
import type { CallNode } from '../../../protocol/src/trace/tree.ts';
import { REPLY_SCHEME, showReply, type ReplyDocuments } from './reply-documents.ts';
import { buildReplyTitle } from './reply-title.ts';

/** A reply that is whole within this time, in milliseconds, opens once, with its final title. */
const SETTLE = 150;

/** A reply that grows is redrawn at most this often, in milliseconds. */
const REDRAW = 100;

/** The URIs of replies that still grow: the Stop button of their tabs looks here. */
const GROWING_KEY = 'parley.growingReplies';

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
  #opened: Promise<TextEditor> | undefined;
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

  /** The text so far. The first one opens the document. */
  grow(text: string): void {
    this.#text = text;
    this.#timer ??= setTimeout(() => this.#draw(), this.#uri ? REDRAW : SETTLE);
  }

  /** The whole text: shown under the final title, where the growing one was. Nothing opens for an empty reply. */
  async finish(text: string, outcome: Outcome, form: ReplyForm): Promise<Uri | undefined> {
    this.dispose();
    if (text === '' && !this.#uri) return undefined;
    const language = form === 'protocol' ? this.#language : 'plaintext';
    const uri = this.#documents.add(buildReplyTitle(this.#title, outcome), text);
    const before = await this.#opened;
    const column = before?.viewColumn ?? ViewColumn.Beside;
    const visible = before?.visibleRanges[0]?.start;
    const selection = before?.selection;
    const after = await showReply(uri, language, column);
    if (selection) after.selection = selection;
    if (visible && visible.line > 0) after.revealRange(new Range(visible, visible));
    if (this.#uri) await closeTab(this.#uri);
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
      return;
    }
    const running: Outcome = { status: 'open', code: undefined, duration: undefined, wire: [] };
    this.#uri = this.#documents.add(buildReplyTitle(this.#title, running), this.#text);
    this.#growing.add(this.#uri, this.#call);
    this.#opened = Promise.resolve(showReply(this.#uri, this.#language));
  }
}

/** Which replies still grow, and for which calls. */
export class GrowingReplies {
  readonly #calls = new Map<string, string>();

  add(uri: Uri, call: string): void {
    this.#calls.set(uri.toString(), call);
    this.#publish();
  }

  delete(uri: Uri): void {
    if (this.#calls.delete(uri.toString())) this.#publish();
  }

  /** The call whose reply grows in a document, or undefined where none does. */
  findCall(uri: Uri): string | undefined {
    return this.#calls.get(uri.toString());
  }

  #publish(): void {
    // A menu that is late by a moment harms nothing, so nobody waits.
    void commands.executeCommand('setContext', GROWING_KEY, [...this.#calls.keys()]);
  }
}

async function closeTab(uri: Uri): Promise<void> {
  const wanted = uri.toString();
  const tabs = window.tabGroups.all.flatMap(group => group.tabs);
  const ours = tabs.filter(tab => isTextInput(tab.input) && tab.input.uri.toString() === wanted);
  await window.tabGroups.close(ours, true);
}

function isTextInput(input: unknown): input is { readonly uri: Uri } {
  return typeof input === 'object' && input !== null && 'uri' in input && isReplyUri(input.uri);
}

function isReplyUri(uri: unknown): boolean {
  return typeof uri === 'object' && uri !== null && 'scheme' in uri && uri.scheme === REPLY_SCHEME;
}
