import { TextDocuments, type Connection, type Disposable } from 'vscode-languageserver';
import type { TextDocumentContentChangeEvent } from 'vscode-languageserver';
import type { LanguageId } from '../../core/catalog/languages.ts';
import type { RuleCode } from '../../core/catalog/rules.ts';
import type { Settings } from '../../core/catalog/settings.ts';
import { fixAll } from './fix-all.ts';
import type { LanguageSupport, OpenDocument } from '../../language/support.ts';
import { languageOfFile } from '../../language/languages.ts';
import { isSameAgentTools, NO_AGENT_TOOLS, type AgentTools } from '../../language/tools.ts';
import type { TextEdit } from '../../core/text/edit.ts';
import type { Issue } from '../../core/text/issue.ts';
import { joinRequestIssues, type RequestContext } from '../../language/variables/check.ts';
import type { DialectChoice } from '../../wire/server-messages.ts';
import { FileSettings } from './file-settings.ts';
import { toTextEdit } from './lsp.ts';

/** One version of an open document in a supported language. */
export class Snapshot {
  readonly uri: string;
  readonly version: number;
  readonly settings: Settings;
  readonly document: OpenDocument;
  /** Unique for each snapshot, even with the same version or other settings. */
  readonly serial: number;
  readonly #support: LanguageSupport;
  readonly #tools: AgentTools;
  readonly #context: RequestContext;
  #ownIssues: readonly Issue<RuleCode>[] | undefined;
  #issues: readonly Issue[] | undefined;

  constructor(
    file: OpenFile & { readonly document: OpenDocument },
    support: LanguageSupport,
    { settings, context }: ReadWith,
    serial: number,
  ) {
    this.uri = file.uri;
    this.version = file.version;
    this.document = file.document;
    this.settings = settings;
    this.serial = serial;
    this.#support = support;
    this.#tools = file.tools;
    this.#context = context;
  }

  /** The issues of the document and of what its requests name, computed once per version. */
  get issues(): readonly Issue[] {
    this.#issues ??= joinRequestIssues(this.document, this.#own, this.settings, this.#context);
    return this.#issues;
  }

  get #own(): readonly Issue<RuleCode>[] {
    this.#ownIssues ??= this.document.validate();
    return this.#ownIssues;
  }

  /**
   * All issues without the limit `maxIssues`, for checks that must not miss an error. Excludes issues of
   * variables, whose values are known only when a request is sent.
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

/** The inputs, besides its text, with which a document is read. */
interface ReadWith {
  readonly settings: Settings;
  readonly context: RequestContext;
}

/** The current state of a file that is open in the editor. */
interface OpenFile {
  readonly uri: string;
  readonly languageId: string;
  version: number;
  /** Undefined for a file in another language; its text is not stored. */
  document: OpenDocument | undefined;
  /** The tools that other files and agents report for agents that this file may name. */
  tools: AgentTools;
}

/**
 * The open documents in supported languages. Edits arrive as ranges and are passed to the language as edits,
 * so a file is read as a whole only when it is opened.
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
  #context: RequestContext = { environment: [], agents: [] };
  #contexts = 0;
  #serial = 0;

  constructor(languages: Readonly<Record<LanguageId, LanguageSupport>>) {
    this.#languages = languages;
    this.#files.onDidChangeContent(event => this.#take(event.document));
    this.#files.onDidClose(event => this.#drop(event.document.uri));
  }

  listen(connection: Connection): Disposable {
    return this.#files.listen(connection);
  }

  /** The latest snapshot; undefined for a document that is closed or in another language. */
  find(uri: string): Snapshot | undefined {
    return this.#snapshots.get(uri);
  }

  all(): readonly Snapshot[] {
    return [...this.#snapshots.values()];
  }

  /** Adds a listener for new snapshots: opened, edited, or read again with new settings. */
  onChange(listener: (snapshot: Snapshot) => void): void {
    this.#changed.push(listener);
  }

  /** Adds a listener for closed documents. */
  onClose(listener: (uri: string) => void): void {
    this.#closed.push(listener);
  }

  /** Adds a listener for saved documents. */
  onSave(listener: () => void): void {
    this.#files.onDidSave(listener);
  }

  /** The settings without those chosen for single files. */
  get settings(): Settings {
    return this.#settings.common;
  }

  /** The settings of a file, open or not. Returns the same object until they change. */
  settingsOf(uri: string): Settings {
    return this.#settings.of(uri);
  }

  /** Parses a file that is not open; undefined for one in another language. */
  readText(uri: string, text: string): OpenDocument | undefined {
    const language = this.#languageOf(uri, '');
    return language && this.#languages[language].open(text, this.settingsOf(uri));
  }

  /** Reads every open document again with these settings. */
  useSettings(settings: Settings): void {
    this.#settings.useCommon(settings);
    this.#readAnew();
  }

  /** Sets the dialects chosen for files; true if the reading of an open file changes. */
  useDialects(choices: readonly DialectChoice[]): boolean {
    this.#settings.useDialects(choices);
    return this.#readAnew();
  }

  /** Sets the agents and the variables of the environment that requests may name; true if they changed. */
  useContext({ environment, agents }: RequestContext): boolean {
    const context = { environment, agents };
    if (JSON.stringify(context) === JSON.stringify(this.#context)) return false;
    this.#context = context;
    this.#contexts++;
    for (const file of this.#files.all()) this.#take(file);
    return true;
  }

  /** The issues of a file that may not be open. */
  issuesOf(uri: string, document: OpenDocument): readonly Issue[] {
    return joinRequestIssues(document, document.validate(), this.settingsOf(uri), this.#context);
  }

  /** A number that changes with what requests may name; used in cache keys. */
  get contextSerial(): number {
    return this.#contexts;
  }

  /** Passes the tool declarations of other files and agents to an open document; true if they changed. */
  useTools(uri: string, tools: AgentTools): boolean {
    const file = this.#files.get(uri);
    if (!file?.document || isSameAgentTools(file.tools, tools)) return false;
    file.tools = tools;
    file.document = file.document.withTools(tools);
    this.#take(file);
    return true;
  }

  /** Reads the documents again whose settings changed. */
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
    const readWith = { settings: this.settingsOf(file.uri), context: this.#context };
    const snapshot = new Snapshot({ ...file, document }, support, readWith, ++this.#serial);
    this.#snapshots.set(file.uri, snapshot);
    for (const listener of this.#changed) listener(snapshot);
  }

  #drop(uri: string): void {
    if (!this.#snapshots.delete(uri)) return;
    for (const listener of this.#closed) listener(uri);
  }

  /** The language by the editor's language id or, if the editor does not know our languages, by the file extension. */
  #languageOf(uri: string, languageId: string): LanguageId | undefined {
    const named = Object.values(this.#languages).find(support => support.id === languageId);
    return named?.id ?? languageOfFile(uri.replace(/[?#].*/s, ''));
  }
}
