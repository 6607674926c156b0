import {
  TextDocumentChangeReason,
  workspace,
  type Disposable,
  type TextDocument,
  type TextDocumentChangeEvent,
} from 'vscode';
import { DisposableStore } from '../dispose.ts';
import { setLanguage } from './editor-language.ts';

/** A text and the language that an editor showed it in. */
export interface LanguageStep {
  readonly text: string;
  readonly language: string;
}

/** Gives documents their language back where Undo or Redo gives them a text back that was shown in another one. */
export class LanguageSteps implements Disposable {
  readonly #store = new DisposableStore();
  readonly #steps = new Map<TextDocument, readonly LanguageStep[]>();

  constructor() {
    this.#store.add(workspace.onDidChangeTextDocument(event => this.#follow(event)));
    this.#store.add(
      workspace.onDidCloseTextDocument(document => {
        // One whose language was changed is said to be closed, too.
        if (!workspace.textDocuments.includes(document)) this.#steps.delete(document);
      }),
    );
  }

  /** Remembers the two texts of a document on both sides of an edit; those of an earlier edit are forgotten. */
  note(document: TextDocument, before: LanguageStep, after: LanguageStep): void {
    if (before.language !== after.language) this.#steps.set(document, [before, after]);
  }

  dispose(): void {
    this.#store.dispose();
  }

  #follow({ document, reason }: TextDocumentChangeEvent): void {
    const steps = reason === undefined ? undefined : this.#steps.get(document);
    const isStepBack = reason === TextDocumentChangeReason.Undo || reason === TextDocumentChangeReason.Redo;
    if (!steps || !isStepBack) return;
    const text = document.getText();
    const step = steps.find(known => known.text.length === text.length && known.text === text);
    // A language that VS Code refuses leaves the text as it is.
    if (step) setLanguage(document, step.language).then(undefined, () => undefined);
  }
}
