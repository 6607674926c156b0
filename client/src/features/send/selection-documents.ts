import { Uri, workspace, type Disposable, type TextDocument } from 'vscode';
import { SELECTION_SCHEME as SCHEME } from '../../sending/compose-document.ts';
import { setLanguage } from '../../window/editor-language.ts';

/** The maximum number of texts that are retained; a question or a retry may still refer to one. */
const MAX_TEXTS = 20;

/** Texts from other documents as documents of their own, which no editor shows, so that they are sent like files. */
export class SelectionDocuments implements Disposable {
  readonly #texts = new Map<string, string>();
  readonly #provider = workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: uri => this.#texts.get(uri.toString()) ?? '',
  });
  #count = 0;

  /** Opens a text with requests in JSON. `ending` is the end of a file name that says the protocol, or empty. */
  async open(text: string, ending: string): Promise<TextDocument> {
    this.#count++;
    const uri = Uri.from({ scheme: SCHEME, path: `/Selection ${this.#count}${ending}` });
    this.#texts.set(uri.toString(), text);
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > MAX_TEXTS && oldest !== undefined) this.#texts.delete(oldest);
    return setLanguage(await workspace.openTextDocument(uri), 'agent-json');
  }

  dispose(): void {
    this.#provider.dispose();
  }
}
