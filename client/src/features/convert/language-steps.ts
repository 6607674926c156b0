import { TextDocumentChangeReason, workspace, type TextDocument, type TextDocumentChangeEvent } from 'vscode';
import { Owner } from '../../base/dispose.ts';
import { setLanguage } from '../../window/editor-language.ts';

/** A text and the language in which an editor showed it. */
export interface LanguageStep {
  readonly text: string;
  readonly language: string;
}

/** Restores the language of a document when Undo or Redo restores a text that had another language. */
export class LanguageSteps extends Owner {
  readonly #steps = new Map<TextDocument, readonly LanguageStep[]>();

  constructor() {
    super();
    this.own(workspace.onDidChangeTextDocument(event => this.#follow(event)));
    this.own(
      workspace.onDidCloseTextDocument(document => {
        // A change of the language is also reported as closing the document.
        if (!workspace.textDocuments.includes(document)) this.#steps.delete(document);
      }),
    );
  }

  /** Stores the texts of a document before and after an edit, and discards those of an earlier edit. */
  note(document: TextDocument, before: LanguageStep, after: LanguageStep): void {
    if (before.language !== after.language) this.#steps.set(document, [before, after]);
  }

  #follow({ document, reason }: TextDocumentChangeEvent): void {
    const steps = reason === undefined ? undefined : this.#steps.get(document);
    const isStepBack = reason === TextDocumentChangeReason.Undo || reason === TextDocumentChangeReason.Redo;
    if (!steps || !isStepBack) return;
    const text = document.getText();
    const step = steps.find(known => known.text.length === text.length && known.text === text);
    // If VS Code refuses the language, the text stays as it is.
    if (step) setLanguage(document, step.language).then(undefined, () => undefined);
  }
}
