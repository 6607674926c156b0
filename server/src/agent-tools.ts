import { isSameAgentTools, joinAgentTools, type AgentTools } from '../../language/tools.ts';
import type { LanguageId } from '../../core/catalog/languages.ts';
import type { OpenDocument } from '../../language/support.ts';
import type { Documents } from './documents.ts';
import { fileKey } from './file-key.ts';
import { guardWork, type GuardHost } from './guard.ts';
import { LiveTools } from './live-tools.ts';
import type { RunningTimer } from './runtime.ts';
import type { AgentToolsParams } from '../../wire/live-tools.ts';
import type { Workspace, WorkspaceFile } from './workspace.ts';

/** Other files are looked at this many milliseconds after the last edit. */
const DELAY = 100;

/** Where agents' tools are looked for, and who is told. */
export interface AgentToolsHost extends GuardHost {
  readonly documents: Documents;
  readonly workspace: Workspace;
}

/**
 * Tells documents that name agents what the other files of the workspace say of these, and all documents what agents
 * said themselves. As long as no open document names one, no other file is looked at.
 */
export class WorkspaceTools {
  readonly #host: AgentToolsHost;
  /** Called once open documents were told something new. */
  readonly #onNews: () => Promise<void>;
  /** What each open document was told, by file: the same objects say the same. */
  readonly #told = new Map<string, readonly AgentTools[]>();
  readonly #said = new WeakMap<OpenDocument, AgentTools>();
  readonly #bound = new WeakMap<
    OpenDocument,
    { readonly tools: AgentTools; readonly document: OpenDocument }
  >();
  readonly #live = new LiveTools();
  #timer: RunningTimer | undefined;

  constructor(host: AgentToolsHost, onNews: () => Promise<void>) {
    this.#host = host;
    this.#onNews = onNews;
  }

  /** Follows the open documents and the files beside them. */
  follow(): void {
    const { documents, workspace } = this.#host;
    documents.onChange(() => this.#schedule());
    documents.onClose(uri => {
      this.#told.delete(uri);
      this.#schedule();
    });
    workspace.onForget(() => this.#schedule());
  }

  /** Takes what agents said of their tools, and tells the open documents at once. */
  async useLive(params: AgentToolsParams): Promise<void> {
    this.#live.use(params);
    await this.#update();
  }

  /** The files, those that are not open with what all of them and agents themselves say of the agents that they name. */
  async bind(files: readonly WorkspaceFile[]): Promise<readonly WorkspaceFile[]> {
    const saying = await this.#listSaying(files);
    const names = new Set(saying.map(({ uri }) => uri));
    const inFiles = saying.map(file => file.tools);
    const joined = new Map<LanguageId, AgentTools>();
    return files.map(file => {
      const { uri, version, document } = file;
      if (version !== undefined || (this.#live.isEmpty && !names.has(uri))) return file;
      const { language } = document;
      const tools = joined.get(language) ?? joinAgentTools([...inFiles, this.#live.of(language)]);
      joined.set(language, tools);
      return { ...file, document: this.#bindTo(document, tools) };
    });
  }

  /** The same object for the same tools, so that who keeps answers by document can. */
  #bindTo(document: OpenDocument, tools: AgentTools): OpenDocument {
    const known = this.#bound.get(document);
    if (known && isSameAgentTools(known.tools, tools)) return known.document;
    const bound = document.withTools(tools);
    this.#bound.set(document, { tools, document: bound });
    return bound;
  }

  #schedule(): void {
    const host = this.#host;
    this.#timer?.cancel();
    if (this.#listAsking().length === 0 && this.#live.isEmpty) return;
    this.#timer = host.runtime.startTimer(DELAY, () => {
      // Nobody waits for it; its faults are caught and logged inside.
      void guardWork(host, { feature: 'agentTools' }, undefined, () => this.#update());
    });
  }

  async #update(): Promise<void> {
    const { documents, workspace } = this.#host;
    const isAsked = this.#listAsking().length > 0;
    const saying = isAsked ? await this.#listSaying(await workspace.files()) : [];
    const asking = new Set(this.#listAsking().map(({ uri }) => uri));
    let isUpdate = false;
    for (const { uri, document } of documents.all()) {
      const isOther = (file: { readonly uri: string }): boolean => fileKey(file.uri) !== fileKey(uri);
      const inFiles = asking.has(uri) ? saying.filter(isOther).map(file => file.tools) : [];
      const others = [...inFiles, this.#live.of(document.language)];
      if (isSame(others, this.#told.get(uri))) continue;
      this.#told.set(uri, others);
      isUpdate = documents.useTools(uri, joinAgentTools(others)) || isUpdate;
    }
    if (isUpdate) await this.#onNews();
  }

  #listAsking(): readonly WorkspaceFile[] {
    return this.#host.documents.all().filter(({ document }) => this.#toolsOf(document).size > 0);
  }

  async #listSaying(files: readonly WorkspaceFile[]): Promise<readonly { uri: string; tools: AgentTools }[]> {
    const saying: { uri: string; tools: AgentTools }[] = [];
    for (const { uri, document } of files) {
      const isNew = !this.#said.has(document);
      const tools = this.#toolsOf(document);
      if (tools.size > 0) saying.push({ uri, tools });
      // Reading many files takes a while: the editor's own messages go first.
      if (isNew) await this.#host.runtime.yieldToQueue();
    }
    return saying;
  }

  #toolsOf(document: OpenDocument): AgentTools {
    const tools = this.#said.get(document) ?? document.agentTools();
    this.#said.set(document, tools);
    return tools;
  }
}

function isSame(one: readonly AgentTools[], other: readonly AgentTools[] = []): boolean {
  return one.length === other.length && one.every((tools, index) => tools === other[index]);
}
