import { Uri, workspace, type Disposable, type TextDocumentContentProvider } from 'vscode';

/** The scheme of the read-only documents that show what an agent says with a question. */
const SCHEME = 'parley-question';

/** Serves what agents say with their questions, while those are open. Nothing has to be saved or thrown away. */
export class ToldDocuments implements TextDocumentContentProvider, Disposable {
  readonly #texts = new Map<string, string>();
  readonly #registration = workspace.registerTextDocumentContentProvider(SCHEME, this);
  #count = 0;

  /** A document with a text, which is no Markdown: that has links to commands. `forget` takes the text back. */
  add(title: string, text: string): Uri {
    const path = `/${title.replace(/[\\/]/g, '∕')}.txt`;
    const uri = Uri.from({ scheme: SCHEME, path, query: String(++this.#count) });
    this.#texts.set(uri.toString(), text);
    return uri;
  }

  forget(uri: Uri): void {
    this.#texts.delete(uri.toString());
  }

  provideTextDocumentContent(uri: Uri): string {
    return this.#texts.get(uri.toString()) ?? 'This question was answered.\n';
  }

  dispose(): void {
    this.#registration.dispose();
  }
}
