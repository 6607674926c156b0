import { window, workspace, type Disposable, type TextDocument } from 'vscode';
import { LANGUAGES } from '../../core/catalog/languages.ts';
import { Delay } from './delay.ts';
import { DisposableStore } from './dispose.ts';

/** Milliseconds of rest after which VS Code has asked for lenses, if it does at all. */
const ASKED_AFTER = 2_000;
/** Where lenses are switched off nobody ever asks: then it is left at this. */
const MOST_REMINDERS = 5;

const LANGUAGE_IDS: ReadonlySet<string> = new Set(LANGUAGES.map(({ id }) => id));

/**
 * Reminds VS Code of lenses that it forgot to ask for. It asks a moment after a document is shown or changed, and never
 * where its editor lost the focus in that moment: on a slow start, whoever goes to the side panel would see no lens.
 */
export class LensQuestions implements Disposable {
  readonly #remind: (document: TextDocument) => void;
  readonly #store = new DisposableStore();
  /** The version that lenses were last asked for. */
  readonly #asked = new WeakMap<TextDocument, number>();
  readonly #soon = this.#store.add(new Delay(() => this.#check()));
  #reminders = 0;

  /** `remind` has the lenses of a document asked for. */
  constructor(remind: (document: TextDocument) => void) {
    this.#remind = remind;
    this.#store.add(window.onDidChangeVisibleTextEditors(() => this.expect()));
    this.#store.add(
      workspace.onDidChangeTextDocument(({ document }) => {
        if (listShown().has(document)) this.expect();
      }),
    );
  }

  /** Lenses were asked for. */
  note(document: TextDocument): void {
    this.#asked.set(document, document.version);
  }

  /** What is shown should have been asked for after a rest from now on. */
  expect(): void {
    this.#reminders = 0;
    this.#soon.restart(ASKED_AFTER);
  }

  dispose(): void {
    this.#store.dispose();
  }

  #check(): void {
    const forgotten = [...listShown()].filter(document => this.#asked.get(document) !== document.version);
    for (const document of forgotten) this.#remind(document);
    if (forgotten.length > 0 && ++this.#reminders < MOST_REMINDERS) this.#soon.restart(ASKED_AFTER);
  }
}

function listShown(): ReadonlySet<TextDocument> {
  const documents = window.visibleTextEditors.map(({ document }) => document);
  return new Set(documents.filter(({ languageId }) => LANGUAGE_IDS.has(languageId)));
}
