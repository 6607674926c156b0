import { EventEmitter, Uri, workspace, type TextDocument } from 'vscode';
import { DisposableStore, Owner } from '../base/dispose.ts';

/** The URI scheme of the composer's documents. No editor shows them. */
export const COMPOSE_SCHEME = 'parley-compose';

/** The URI scheme of texts that are sent from documents in other languages. No editor shows them. */
export const SELECTION_SCHEME = 'parley-selection';

/**
 * The draft of the composer as a document, so that the language server reads it and it is sent like a file.
 * There is one document per kind of file.
 */
export class ComposeDocument extends Owner {
  readonly #texts = new Map<string, string>();
  readonly #changed = this.own(new EventEmitter<Uri>());

  constructor() {
    super();
    this.own(
      workspace.registerTextDocumentContentProvider(COMPOSE_SCHEME, {
        onDidChange: this.#changed.event,
        provideTextDocumentContent: uri => this.#texts.get(uri.toString()) ?? '',
      }),
    );
  }

  /**
   * Writes a text into the document. Resolves when VS Code, and so the language server, has this text or a
   * newer one. `ending` is the end of the name of such a file, which says its language.
   */
  async write(ending: string, text: string): Promise<TextDocument> {
    const uri = Uri.from({ scheme: COMPOSE_SCHEME, path: `/Compose${ending}` });
    const key = uri.toString();
    this.#texts.set(key, text);
    // VS Code closes documents that are not shown, and reopens them with the current text.
    const document = await workspace.openTextDocument(uri);
    const isWritten = (): boolean => document.isClosed || document.getText() === this.#texts.get(key);
    if (!isWritten()) await this.#settle(uri, isWritten);
    return document.isClosed ? this.write(ending, this.#texts.get(key) ?? text) : document;
  }

  async #settle(uri: Uri, isWritten: () => boolean): Promise<void> {
    const waiting = new DisposableStore();
    const written = new Promise<void>(resolve => {
      const look = (): void => {
        if (isWritten()) resolve();
      };
      waiting.add(workspace.onDidChangeTextDocument(look));
      waiting.add(workspace.onDidCloseTextDocument(look));
    });
    this.#changed.fire(uri);
    await written;
    waiting.dispose();
  }
}
