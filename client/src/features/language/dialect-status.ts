import { languages, window, workspace, type Event, type LanguageStatusItem, type TextDocument } from 'vscode';
import { findDialect, type LanguageId } from '../../../../core/catalog/languages.ts';
import type { DialectReadParams } from '../../../../wire/server-messages.ts';
import type { CommandName } from '../manifests.ts';
import { Owner } from '../../base/dispose.ts';
import { REPLY_SCHEME } from '../../replies/reply-documents.ts';
import { setLanguageStatus } from '../../window/sinks/labels.ts';

const PICK_DIALECT: CommandName = 'parley.pickDialect';
const AICF: LanguageId = 'aicf';

/** The language status item of AICF files: the dialect of the file in front, the reason, and a command to change it. */
export class DialectStatus extends Owner {
  readonly #item: LanguageStatusItem;
  readonly #readings = new Map<string, DialectReadParams>();

  /** Takes ownership of the item. `onDidRead` fires with the dialect in which the server reads a file. */
  constructor(item: LanguageStatusItem, onDidRead: Event<DialectReadParams>) {
    super();
    this.#item = this.own(item);
    this.#item.name = 'AICF dialect';
    this.#item.command = { title: 'Change', command: PICK_DIALECT };
    this.own(onDidRead(reading => this.#take(reading)));
    this.own(window.onDidChangeActiveTextEditor(() => this.#update()));
    this.own(workspace.onDidCloseTextDocument(({ uri }) => this.#readings.delete(uri.toString())));
    this.#update();
  }

  #take(reading: DialectReadParams): void {
    const before = this.#readings.get(reading.uri);
    this.#readings.set(reading.uri, reading);
    this.#update();
    if (before && before.dialect !== reading.dialect) askForOutlines();
  }

  #update(): void {
    const document = window.activeTextEditor?.document;
    const reading = document && this.#readings.get(document.uri.toString());
    if (!document || !reading || !isShownFor(document)) {
      this.#item.selector = [];
      return;
    }
    this.#item.selector = { language: AICF };
    const title = findDialect(reading.dialect)?.title ?? reading.dialect;
    setLanguageStatus(this.#item, title, reading.reason);
  }
}

/** Replies are excluded, because they come from an agent and are never memory files. */
function isShownFor({ languageId, uri }: TextDocument): boolean {
  return languageId === AICF && uri.scheme !== REPLY_SCHEME;
}

/**
 * Makes VS Code request outlines again. It does so after an edit or a change of providers, and a server
 * cannot request it, so a provider is registered and removed.
 */
function askForOutlines(): void {
  languages.registerDocumentSymbolProvider(AICF, { provideDocumentSymbols: () => [] }).dispose();
}
