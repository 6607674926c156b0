import {
  EventEmitter,
  RelativePattern,
  Uri,
  workspace,
  type Disposable,
  type LogOutputChannel,
  type WorkspaceFolder,
} from 'vscode';
import type { AgentConfig, InputConfig } from '../../../agents/src/config/agent-config.ts';
import { AGENTS_FILE, parseAgentsFile } from '../../../agents/src/config/agents-file.ts';
import { SourceText } from '../../../protocol/src/text/source-text.ts';
import type { AgentsProblem } from '../agent-service.ts';
import { DisposableStore } from '../dispose.ts';
import { describeError } from '../log.ts';

/** An agent with the file and the folder that it comes from. */
export interface FoundAgent {
  readonly config: AgentConfig;
  readonly inputs: ReadonlyMap<string, InputConfig>;
  readonly file: Uri;
  readonly folder: WorkspaceFolder;
}

/** What all agents files say together. */
export interface FoundAgents {
  /** By name, in the order of the folders; where two files name an agent, the first one's counts. */
  readonly agents: ReadonlyMap<string, FoundAgent>;
  readonly problems: readonly AgentsProblem[];
}

/**
 * Reads `.vscode/agents.json` of every root folder and, once one was read, tells when one changes. Reading starts no
 * agent.
 */
export class AgentFiles implements Disposable {
  readonly #log: LogOutputChannel;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new EventEmitter<void>());
  #watchers: DisposableStore | undefined;

  readonly onDidChange = this.#changed.event;

  constructor(log: LogOutputChannel) {
    this.#log = log;
    this.#store.add(
      workspace.onDidChangeWorkspaceFolders(() => {
        if (this.#watchers) this.#watch();
        this.#changed.fire();
      }),
    );
  }

  /** Reads the files as they are now. They are small, and a watcher that is late must not send to the wrong agent. */
  read(): Promise<FoundAgents> {
    if (!this.#watchers) this.#watch();
    return readAll(workspace.workspaceFolders ?? [], this.#log);
  }

  dispose(): void {
    this.#watchers?.dispose();
    this.#store.dispose();
  }

  #watch(): void {
    this.#watchers?.dispose();
    const watchers = new DisposableStore();
    this.#watchers = watchers;
    for (const folder of workspace.workspaceFolders ?? []) {
      const watcher = watchers.add(
        workspace.createFileSystemWatcher(new RelativePattern(folder, AGENTS_FILE)),
      );
      for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) {
        watchers.add(event(() => this.#changed.fire()));
      }
    }
  }
}

async function readAll(folders: readonly WorkspaceFolder[], log: LogOutputChannel): Promise<FoundAgents> {
  const agents = new Map<string, FoundAgent>();
  const problems: AgentsProblem[] = [];
  for (const folder of folders) {
    const file = Uri.joinPath(folder.uri, AGENTS_FILE);
    const text = await readText(file, log);
    if (text === undefined) continue;
    const { agents: configs, inputs, issues } = parseAgentsFile(text);
    const lines = SourceText.of(text);
    for (const { span, message, agent } of issues)
      problems.push({ file, line: lines.lineAt(span.start), message, agent });
    for (const config of configs.values()) {
      if (!agents.has(config.name)) agents.set(config.name, { config, inputs, file, folder });
    }
  }
  return { agents, problems };
}

/** A file's text, or undefined where there is none: most folders have no agents file. */
async function readText(file: Uri, log: LogOutputChannel): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await workspace.fs.readFile(file));
  } catch (error) {
    log.debug(`${file.toString()} was not read: ${describeError(error)}`);
    return undefined;
  }
}
