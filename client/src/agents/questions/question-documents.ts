import { Uri, window, workspace, type Disposable, type TextDocumentContentProvider } from 'vscode';
import { listTabs } from '../../window/tabs.ts';

/** The URI scheme of the read-only documents that show an agent's question. */
const SCHEME = 'parley-question';

/** Serves the texts of agents' questions as documents while the questions are open. */
export class QuestionDocuments implements TextDocumentContentProvider, Disposable {
  readonly #texts = new Map<string, string>();
  readonly #registration = workspace.registerTextDocumentContentProvider(SCHEME, this);
  #count = 0;

  /** Adds a plain-text document; Markdown could contain links to commands. `close` removes it. */
  add(title: string, text: string): Uri {
    const path = `/${title.replace(/[\\/]/g, '∕')}.txt`;
    const uri = Uri.from({ scheme: SCHEME, path, query: String(++this.#count) });
    this.#texts.set(uri.toString(), text);
    return uri;
  }

  /** Removes a question that was answered or has ended, with its tab. */
  async close(uri: Uri): Promise<void> {
    this.#texts.delete(uri.toString());
    await window.tabGroups.close(listTabs(uri), true);
  }

  provideTextDocumentContent(uri: Uri): string {
    return this.#texts.get(uri.toString()) ?? 'This question was answered.\n';
  }

  dispose(): void {
    this.#registration.dispose();
  }
}
