import { TextDocuments, type Connection, type Disposable } from 'vscode-languageserver';
import type { TextDocumentContentChangeEvent } from 'vscode-languageserver';
import type { LanguageId } from '../../core/catalog/languages.ts';
import type { RuleCode } from '../../core/catalog/rules.ts';
import type { Settings } from '../../core/catalog/settings.ts';
import { fixAll } from '../../language/fix-all.ts';
import type { LanguageSupport, OpenDocument } from '../../language/support.ts';
import { languageOfFile } from '../../language/languages.ts';
import { isSameAgentTools, NO_AGENT_TOOLS, type AgentTools } from '../../language/tools.ts';
import type { TextEdit } from '../../core/text/edit.ts';
import type { Issue } from '../../core/text/issue.ts';
import { joinVariableIssues } from '../../language/variables/check.ts';
import type { EnvironmentVariable } from '../../language/variables/scope.ts';
import type { DialectChoice } from '../../wire/server-messages.ts';
import { FileSettings } from './file-settings.ts';
import { toTextEdit } from './lsp.ts';

/** One version of one open document in a language of ours. */
export class Snapshot {
  readonly uri: string;
  readonly version: number;
  readonly settings: Settings;
  readonly document: OpenDocument;
  /** Tells this snapshot from every other one, also from one with the same version or other settings. */
  readonly serial: number;
  readonly #support: LanguageSupport;
  readonly #tools: AgentTools;
  readonly #environment: readonly EnvironmentVariable[];
  #ownIssues: readonly Issue<RuleCode>[] | undefined;
  #issues: readonly Issue[] | undefined;

  constructor(
    file: OpenFile & { readonly document: OpenDocument },
    support: LanguageSupport,
    { settings, environment }: ReadWith,
    serial: number,
  ) {
    this.uri = file.uri;
    this.version = file.version;
    this.document = file.document;
    this.settings = settings;
    this.serial = serial;
    this.#support = support;
    this.#tools = file.tools;
    this.#environment = environment;
  }

  /** The document's issues and those of its variables, computed once a version. */
  get issues(): readonly Issue[] {
    this.#issues ??= joinVariableIssues(this.document, this.#own, this.settings, this.#environment);
    return this.#issues;
  }

  get #own(): readonly Issue<RuleCode>[] {
    this.#ownIssues ??= this.document.validate();
    return this.#ownIssues;
  }

  /**
   * All issues without the limit of `maxIssues`, for an answer that must not miss an error far down. Those of variables are
   * left out: what they hold is known when a request is sent.
   */
  get allIssues(): readonly Issue[] {
    if (this.#own.length < this.settings.maxIssues) return this.#own;
    return this.#openWhole(String(this.document.text)).validate();
  }

  /** Edits that apply all safe fixes of the document. */
  fixAll(): readonly TextEdit[] {
    return fixAll(text => this.#openWhole(text), String(this.document.text));
  }

  #openWhole(text: string): OpenDocument {
    const settings = { ...this.settings, maxIssues: Number.MAX_SAFE_INTEGER };
    return this.#support.open(text, settings).withTools(this.#tools);
  }
}

/** What a document is read with besides its text. */
interface ReadWith {
  readonly settings: Settings;
  readonly environment: readonly EnvironmentVariable[];
}

/** A file that the editor holds open, as it stands now. */
interface OpenFile {
  readonly uri: string;
  readonly languageId: string;
  version: number;
  /** Undefined for a file in no language of ours: its text is not kept. */
  document: OpenDocument | undefined;
  /** What other files say of the agents that it may name. */
  tools: AgentTools;
}

/**
 * The open documents in a language of ours; others are left alone. Edits arrive as ranges, and each is handed to the
 * language as an edit: a file is read as a whole once, when it is opened.
 */
export class Documents {
  readonly #languages: Readonly<Record<LanguageId, LanguageSupport>>;
  readonly #files = new TextDocuments<OpenFile>({
    create: (uri, languageId, version, text) => this.#open(uri, languageId, version, text),
    update: (file, changes, version) => this.#edit(file, changes, version),
  });
  readonly #snapshots = new Map<string, Snapshot>();
  readonly #changed: ((snapshot: Snapshot) => void)[] = [];
  readonly #closed: ((uri: string) => void)[] = [];
  readonly #settings = new FileSettings();
  #environment: readonly EnvironmentVariable[] = [];
  #environments = 0;
  #serial = 0;

  constructor(languages: Readonly<Record<LanguageId, LanguageSupport>>) {
    this.#languages = languages;
    this.#files.onDidChangeContent(event => this.#take(event.document));
    this.#files.onDidClose(event => this.#drop(event.document.uri));
  }

  listen(connection: Connection): Disposable {
    return this.#files.listen(connection);
  }

  /** The newest snapshot; undefined for a document that is closed or in no language of ours. */
  find(uri: string): Snapshot | undefined {
    return this.#snapshots.get(uri);
  }

  all(): readonly Snapshot[] {
    return [...this.#snapshots.values()];
  }

  /** Adds a listener to new snapshots: opened, edited, or read again under new settings. */
  onChange(listener: (snapshot: Snapshot) => void): void {
    this.#changed.push(listener);
  }

  /** Adds a listener to documents that are closed. */
  onClose(listener: (uri: string) => void): void {
    this.#closed.push(listener);
  }

  /** Adds a listener to documents that were saved. */
  onSave(listener: () => void): void {
    this.#files.onDidSave(listener);
  }

  /** What documents are read with, but for what was chosen for single files. */
  get settings(): Settings {
    return this.#settings.common;
  }

  /** What a file is read with, open or not: the same object as long as it is read in the same way. */
  settingsOf(uri: string): Settings {
    return this.#settings.of(uri);
  }

  /** Reads a file that is not open, as it would be if it were; undefined for one in no language of ours. */
  readText(uri: string, text: string): OpenDocument | undefined {
    const language = this.#languageOf(uri, '');
    return language && this.#languages[language].open(text, this.settingsOf(uri));
  }

  /** Reads every open document anew under these settings. */
  useSettings(settings: Settings): void {
    this.#settings.useCommon(settings);
    this.#readAnew();
  }

  /** Takes the dialects that were chosen for files; true where an open one is read in another way now. */
  useDialects(choices: readonly DialectChoice[]): boolean {
    this.#settings.useDialects(choices);
    return this.#readAnew();
  }

  /** Takes the variables of the environment that requests are sent with; true where they are others than before. */
  useEnvironment(environment: readonly EnvironmentVariable[]): boolean {
    if (JSON.stringify(environment) === JSON.stringify(this.#environment)) return false;
    this.#environment = environment;
    this.#environments++;
    for (const file of this.#files.all()) this.#take(file);
    return true;
  }

  /** What is said of a file that may not be open. */
  issuesOf(uri: string, document: OpenDocument): readonly Issue[] {
    return joinVariableIssues(document, document.validate(), this.settingsOf(uri), this.#environment);
  }

  /** Tells what is said under one environment from what is said under the next. */
  get environmentSerial(): number {
    return this.#environments;
  }

  /** Tells an open document what other files say of agents; true where it had not been told the same. */
  useTools(uri: string, tools: AgentTools): boolean {
    const file = this.#files.get(uri);
    if (!file?.document || isSameAgentTools(file.tools, tools)) return false;
    file.tools = tools;
    file.document = file.document.withTools(tools);
    this.#take(file);
    return true;
  }

  /** Reads again what was read with other settings. */
  #readAnew(): boolean {
    let isAny = false;
    for (const file of this.#files.all()) {
      const { document, uri } = file;
      const settings = this.settingsOf(uri);
      if (!document || this.find(uri)?.settings === settings) continue;
      const anew = this.#languages[document.language].open(String(document.text), settings);
      file.document = anew.withTools(file.tools);
      this.#take(file);
      isAny = true;
    }
    return isAny;
  }

  #open(uri: string, languageId: string, version: number, text: string): OpenFile {
    const language = this.#languageOf(uri, languageId);
    const document = language && this.#languages[language].open(text, this.settingsOf(uri));
    return { uri, languageId, version, document, tools: NO_AGENT_TOOLS };
  }

  #edit(file: OpenFile, changes: readonly TextDocumentContentChangeEvent[], version: number): OpenFile {
    file.version = version;
    for (const change of changes) {
      const { document } = file;
      if (document) file.document = document.edit(toTextEdit(document, change));
    }
    return file;
  }

  #take(file: OpenFile): void {
    const { document } = file;
    if (!document) return;
    const support = this.#languages[document.language];
    const readWith = { settings: this.settingsOf(file.uri), environment: this.#environment };
    const snapshot = new Snapshot({ ...file, document }, support, readWith, ++this.#serial);
    this.#snapshots.set(file.uri, snapshot);
    for (const listener of this.#changed) listener(snapshot);
  }

  #drop(uri: string): void {
    if (!this.#snapshots.delete(uri)) return;
    for (const listener of this.#closed) listener(uri);
  }

  /** By the editor's language id and, where the editor does not know our languages, by the file's ending. */
  #languageOf(uri: string, languageId: string): LanguageId | undefined {
    const named = Object.values(this.#languages).find(support => support.id === languageId);
    return named?.id ?? languageOfFile(uri.replace(/[?#].*/s, ''));
  }
}
