import { TextDocuments, type Disposable, type Connection } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { LanguageId } from '../../protocol/src/catalog/languages.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../protocol/src/catalog/settings.ts';
import type { LanguageSupport, OpenDocument } from '../../protocol/src/language/support.ts';
import { languageOfFile } from '../../protocol/src/languages.ts';
import type { Issue } from '../../protocol/src/text/issue.ts';

/** One version of one open document. It is parsed when first asked for something, and only once. */
export class Snapshot {
  readonly uri: string;
  readonly version: number;
  readonly settings: Settings;
  /** Tells this snapshot from every other one, also from one with the same version or other settings. */
  readonly serial: number;
  readonly #text: string;
  readonly #support: LanguageSupport;
  #document: OpenDocument | undefined;
  #issues: readonly Issue[] | undefined;

  constructor(source: TextDocument, support: LanguageSupport, settings: Settings, serial: number) {
    this.uri = source.uri;
    this.version = source.version;
    this.settings = settings;
    this.serial = serial;
    this.#text = source.getText();
    this.#support = support;
  }

  get document(): OpenDocument {
    this.#document ??= this.#support.open(this.#text, this.settings);
    return this.#document;
  }

  /** The document's issues, computed once a version. */
  get issues(): readonly Issue[] {
    this.#issues ??= this.document.validate();
    return this.#issues;
  }

  /** All issues without the limit of `maxIssues`, for an answer that must not miss an error far down. */
  get allIssues(): readonly Issue[] {
    if (this.issues.length < this.settings.maxIssues) return this.issues;
    return this.#support
      .open(this.#text, { ...this.settings, maxIssues: Number.MAX_SAFE_INTEGER })
      .validate();
  }
}

/** The open documents in a language of ours; others are left alone. Edits arrive as ranges, not as whole texts. */
export class Documents {
  readonly #languages: Readonly<Record<LanguageId, LanguageSupport>>;
  readonly #texts = new TextDocuments<TextDocument>(TextDocument);
  readonly #snapshots = new Map<string, Snapshot>();
  #changed: ((snapshot: Snapshot) => void) | undefined;
  #closed: ((uri: string) => void) | undefined;
  #settings: Settings = DEFAULT_SETTINGS;
  #serial = 0;

  constructor(languages: Readonly<Record<LanguageId, LanguageSupport>>) {
    this.#languages = languages;
    this.#texts.onDidChangeContent(event => this.#take(event.document));
    this.#texts.onDidClose(event => this.#drop(event.document.uri));
  }

  listen(connection: Connection): Disposable {
    return this.#texts.listen(connection);
  }

  /** The newest snapshot; undefined for a document that is closed or in no language of ours. */
  find(uri: string): Snapshot | undefined {
    return this.#snapshots.get(uri);
  }

  all(): readonly Snapshot[] {
    return [...this.#snapshots.values()];
  }

  /** The one listener to new snapshots: opened, edited, or read again under new settings. */
  onChange(listener: (snapshot: Snapshot) => void): void {
    this.#changed = listener;
  }

  /** The one listener to documents that are closed. */
  onClose(listener: (uri: string) => void): void {
    this.#closed = listener;
  }

  /** Reads every open document anew under these settings. */
  useSettings(settings: Settings): void {
    this.#settings = settings;
    for (const text of this.#texts.all()) this.#take(text);
  }

  #take(text: TextDocument): void {
    const language = this.#languageOf(text);
    if (!language) return;
    const snapshot = new Snapshot(text, this.#languages[language], this.#settings, ++this.#serial);
    this.#snapshots.set(text.uri, snapshot);
    this.#changed?.(snapshot);
  }

  #drop(uri: string): void {
    if (this.#snapshots.delete(uri)) this.#closed?.(uri);
  }

  /** By the editor's language id and, where the editor does not know our languages, by the file's ending. */
  #languageOf(text: TextDocument): LanguageId | undefined {
    const named = Object.values(this.#languages).find(support => support.id === text.languageId);
    return named?.id ?? languageOfFile(text.uri.replace(/[?#].*$/, ''));
  }
}
