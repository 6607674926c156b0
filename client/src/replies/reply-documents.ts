import { EventEmitter, Uri, workspace, type Disposable, type TextDocumentContentProvider } from 'vscode';
import { DisposableStore } from '../dispose.ts';
import { writeReplyQuery } from './reply-query.ts';

/** The scheme of the read-only documents that show replies. */
export const REPLY_SCHEME = 'parley-reply';

/** Replies that no tab shows are kept up to this number and these characters: a user may go back to them. */
const KEPT = 50;
const KEPT_CHARACTERS = 50_000_000;

/** The editor of VS Code does not take more. The whole reply is in the traces. */
const LONGEST = 20_000_000;

/** A title with the ending of a file would have its text read as such a file, which may be one with links to commands: Markdown. */
const FILE_ENDING = /\.[^.\s]+$/;

/** Serves replies as read-only documents. A reply that grows changes in place, its scroll and selection kept. */
export class ReplyDocuments implements TextDocumentContentProvider, Disposable {
  readonly #store = new DisposableStore();
  readonly #texts = new Map<string, string>();
  readonly #cut = new Set<string>();
  readonly #changed = this.#store.add(new EventEmitter<Uri>());
  #count = 0;

  readonly onDidChange = this.#changed.event;

  constructor() {
    this.#store.add(workspace.registerTextDocumentContentProvider(REPLY_SCHEME, this));
  }

  /**
   * Keeps a reply's text under a title, which is what its tab will show. One that is cut was not heard to its end. `call` is
   * the call whose reply it is, where that is known.
   */
  add(title: string, text: string, extent: 'whole' | 'cut' = 'whole', call?: string): Uri {
    this.#count += 1;
    const query = writeReplyQuery(this.#count, call);
    const uri = Uri.from({ scheme: REPLY_SCHEME, path: `/${title.replace(FILE_ENDING, '$&\u2060')}`, query });
    this.#texts.set(uri.toString(), clip(text));
    if (extent === 'cut') this.#cut.add(uri.toString());
    this.#forgetOld();
    return uri;
  }

  /** True for a reply that was stopped, or broke off. */
  isCut(uri: Uri): boolean {
    return this.#cut.has(uri.toString());
  }

  /** Replaces a reply's text, as it grows. */
  update(uri: Uri, text: string): void {
    this.#texts.set(uri.toString(), clip(text));
    this.#forgetOld();
    this.#changed.fire(uri);
  }

  provideTextDocumentContent(uri: Uri): string {
    return this.#texts.get(uri.toString()) ?? 'This reply is no longer kept. Send the request again.\n';
  }

  dispose(): void {
    this.#store.dispose();
  }

  #forgetOld(): void {
    let characters = [...this.#texts.values()].reduce((sum, text) => sum + text.length, 0);
    const isWithin = (): boolean => this.#texts.size <= KEPT && characters <= KEPT_CHARACTERS;
    if (isWithin()) return;
    const shown = new Set(workspace.textDocuments.map(document => document.uri.toString()));
    // The newest is about to be shown.
    for (const [key, text] of [...this.#texts].slice(0, -1)) {
      if (isWithin()) return;
      if (shown.has(key)) continue;
      this.#texts.delete(key);
      this.#cut.delete(key);
      characters -= text.length;
    }
  }
}

function clip(text: string): string {
  if (text.length <= LONGEST) return text;
  return `${text.slice(0, LONGEST)}\n… ${text.length - LONGEST} more characters; the call in the traces has them all.\n`;
}
