import { Uri, workspace, type TextDocumentContentProvider } from 'vscode';
import { Changing } from '../base/changing.ts';
import { writeReplyQuery } from './reply-query.ts';

/** The URI scheme of the read-only documents that show replies. */
export const REPLY_SCHEME = 'parley-reply';

/** The maximum number of replies and characters that are retained without a tab; a user may go back to them. */
const MAX_DOCUMENTS = 50;
const MAX_CHARACTERS = 50_000_000;

/** The maximum number of characters in a VS Code editor. The traces contain the whole reply. */
const LONGEST = 20_000_000;

/** A title with a file ending would determine the language, which could be one with command links, such as Markdown. */
const FILE_ENDING = /\.[^.\s]+$/;

/**
 * Serves replies as read-only documents. A growing reply changes in place, which preserves scroll position
 * and selection.
 */
export class ReplyDocuments extends Changing<Uri> implements TextDocumentContentProvider {
  readonly #texts = new Map<string, string>();
  readonly #cut = new Set<string>();
  #count = 0;

  constructor() {
    super();
    this.own(workspace.registerTextDocumentContentProvider(REPLY_SCHEME, this));
  }

  /**
   * Stores a reply's text under the title of its tab. `cut` means that the reply was not received completely.
   * `call` is its call, if known.
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

  /** True for a reply that was stopped or broke off. */
  isCut(uri: Uri): boolean {
    return this.#cut.has(uri.toString());
  }

  /** Replaces the text of a growing reply. */
  update(uri: Uri, text: string): void {
    this.#texts.set(uri.toString(), clip(text));
    this.#forgetOld();
    this.changed.fire(uri);
  }

  provideTextDocumentContent(uri: Uri): string {
    return this.#texts.get(uri.toString()) ?? 'This reply is no longer stored. Send the request again.\n';
  }

  #forgetOld(): void {
    let characters = [...this.#texts.values()].reduce((sum, text) => sum + text.length, 0);
    const isWithin = (): boolean => this.#texts.size <= MAX_DOCUMENTS && characters <= MAX_CHARACTERS;
    if (isWithin()) return;
    const shown = new Set(workspace.textDocuments.map(document => document.uri.toString()));
    // The newest one is excluded, because it is about to be shown.
    for (const [key, text] of [...this.#texts].slice(0, -1)) {
      if (isWithin()) return;
      if (shown.has(key)) continue;
      this.#texts.delete(key);
      this.#cut.delete(key);
      characters -= text.length;
    }
  }
}

/** Cuts a text that is too long for an editor. The note about it is a comment of AICF and AICL. */
function clip(text: string): string {
  if (text.length <= LONGEST) return text;
  return `${text.slice(0, LONGEST)}\n# … ${text.length - LONGEST} more characters; the call in the traces has them all.\n`;
}
