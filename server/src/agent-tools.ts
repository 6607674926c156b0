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

/** Delay after the last edit before other files are read, in milliseconds. */
const DELAY = 100;

/** The parts of the server that this module uses. */
export interface AgentToolsHost extends GuardHost {
  readonly documents: Documents;
  readonly workspace: Workspace;
}

/**
 * Passes tool declarations to documents: from other files of the workspace to documents that name these agents, and
 * what agents themselves reported to all documents. Other files are read only if an open document names an agent.
 */
export class WorkspaceTools {
  readonly #host: AgentToolsHost;
  /** Called after open documents received changed declarations. */
  readonly #onDeclarationsChanged: () => Promise<void>;
  /** The declarations last passed to each open document. Compared by identity. */
  readonly #reported = new Map<string, readonly AgentTools[]>();
  readonly #byDocument = new WeakMap<OpenDocument, AgentTools>();
  readonly #bound = new WeakMap<
    OpenDocument,
    { readonly tools: AgentTools; readonly document: OpenDocument }
  >();
  readonly #live = new LiveTools();
  #timer: RunningTimer | undefined;

  constructor(host: AgentToolsHost, onDeclarationsChanged: () => Promise<void>) {
    this.#host = host;
    this.#onDeclarationsChanged = onDeclarationsChanged;
  }

  /** Follows changes of open documents and workspace files. */
  follow(): void {
    const { documents, workspace } = this.#host;
    documents.onChange(() => this.#schedule());
    documents.onClose(uri => {
      this.#reported.delete(uri);
      this.#schedule();
    });
    workspace.onForget(() => this.#schedule());
  }

  /** Stores the tools that agents reported and updates the open documents immediately. */
  async useLive(params: AgentToolsParams): Promise<void> {
    this.#live.use(params);
    await this.#update();
  }

  /** Returns the files; those that are not open are bound to the tool declarations of all files and of agents. */
  async bind(files: readonly WorkspaceFile[]): Promise<readonly WorkspaceFile[]> {
    const saying = await this.#listDeclaring(files);
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

  /** Returns the same object for the same tools, so that results can be cached by document. */
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
      // Not awaited; errors are caught and logged inside.
      void guardWork(host, { feature: 'agentTools' }, undefined, () => this.#update());
    });
  }

  async #update(): Promise<void> {
    const { documents, workspace } = this.#host;
    const isAsked = this.#listAsking().length > 0;
    const saying = isAsked ? await this.#listDeclaring(await workspace.files()) : [];
    const asking = new Set(this.#listAsking().map(({ uri }) => uri));
    let isUpdate = false;
    for (const { uri, document } of documents.all()) {
      const isOther = (file: { readonly uri: string }): boolean => fileKey(file.uri) !== fileKey(uri);
      const inFiles = asking.has(uri) ? saying.filter(isOther).map(file => file.tools) : [];
      const others = [...inFiles, this.#live.of(document.language)];
      if (isSame(others, this.#reported.get(uri))) continue;
      this.#reported.set(uri, others);
      isUpdate = documents.useTools(uri, joinAgentTools(others)) || isUpdate;
    }
    if (isUpdate) await this.#onDeclarationsChanged();
  }

  #listAsking(): readonly WorkspaceFile[] {
    return this.#host.documents.all().filter(({ document }) => this.#toolsOf(document).size > 0);
  }

  async #listDeclaring(
    files: readonly WorkspaceFile[],
  ): Promise<readonly { uri: string; tools: AgentTools }[]> {
    const saying: { uri: string; tools: AgentTools }[] = [];
    for (const { uri, document } of files) {
      const isNew = !this.#byDocument.has(document);
      const tools = this.#toolsOf(document);
      if (tools.size > 0) saying.push({ uri, tools });
      // Reading many files takes time, so messages from the editor are handled in between.
      if (isNew) await this.#host.runtime.yieldToQueue();
    }
    return saying;
  }

  #toolsOf(document: OpenDocument): AgentTools {
    const tools = this.#byDocument.get(document) ?? document.agentTools();
    this.#byDocument.set(document, tools);
    return tools;
  }
}

function isSame(one: readonly AgentTools[], other: readonly AgentTools[] = []): boolean {
  return one.length === other.length && one.every((tools, index) => tools === other[index]);
}
