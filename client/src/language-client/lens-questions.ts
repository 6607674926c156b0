import { window, workspace, type TextDocument } from 'vscode';
import { Delay } from '../base/delay.ts';
import { Owner } from '../base/dispose.ts';
import { isKnown } from '../conversion/conversion-source.ts';

/** Milliseconds within which VS Code normally requests lenses. */
const ASKED_AFTER = 2_000;
/** The maximum number of reminders, because lenses may be switched off. */
const MAX_REMINDERS = 5;

/**
 * Works around VS Code not requesting lenses. It requests them shortly after a document is shown or changed,
 * but not if the editor loses the focus in that time, for example on a slow start.
 */
export class LensQuestions extends Owner {
  readonly #remind: (document: TextDocument) => void;
  /** The document versions for which lenses were last requested. */
  readonly #requestedVersions = new WeakMap<TextDocument, number>();
  readonly #soon = this.own(new Delay(() => this.#check()));
  #reminders = 0;

  /** `remind` makes VS Code request the lenses of a document. */
  constructor(remind: (document: TextDocument) => void) {
    super();
    this.#remind = remind;
    this.own(window.onDidChangeVisibleTextEditors(() => this.expect()));
    this.own(
      workspace.onDidChangeTextDocument(({ document }) => {
        if (listShown().has(document)) this.expect();
      }),
    );
  }

  /** Records that lenses were requested. */
  note(document: TextDocument): void {
    this.#requestedVersions.set(document, document.version);
  }

  /** Starts waiting for requests for the shown documents. */
  expect(): void {
    this.#reminders = 0;
    this.#soon.restart(ASKED_AFTER);
  }

  #check(): void {
    const forgotten = [...listShown()].filter(
      document => this.#requestedVersions.get(document) !== document.version,
    );
    for (const document of forgotten) this.#remind(document);
    if (forgotten.length > 0 && ++this.#reminders < MAX_REMINDERS) this.#soon.restart(ASKED_AFTER);
  }
}

function listShown(): ReadonlySet<TextDocument> {
  const documents = window.visibleTextEditors.map(({ document }) => document);
  return new Set(documents.filter(isKnown));
}
