import { Uri, workspace, type WorkspaceFolder } from 'vscode';
import { SERVER_FILES } from '../../../agents/all.ts';
import type { AgentConfig, AgentsFile, InputConfig } from '../../../agents/config/agent-config.ts';
import { AGENTS_FILE, parseAgentsFile } from '../../../agents/config/agents-file.ts';
import { MAX_CONFIG_BYTES } from '../../../agents/regular-file.ts';
import { showBytes } from '../../../tensor/size-words.ts';
import { quote } from '../../../core/text/quote.ts';
import { SourceText } from '../../../core/text/source-text.ts';
import type { AgentsProblem } from '../services/agent-service.ts';
import { AGENTS_SETTING, SETTING_PLACE, SETTING_SCHEME } from '../services/agents-setting.ts';
import { FolderFiles } from './folder-files.ts';
import { readConfig } from './read-config.ts';
import { readSettingAgents } from './setting-agents.ts';
import { Owner } from '../base/dispose.ts';

/** An agent with its agents file and folder. */
export interface FoundAgent {
  readonly config: AgentConfig;
  readonly inputs: ReadonlyMap<string, InputConfig>;
  /** The file that names it, or the URI that represents the user setting. */
  readonly file: Uri;
  /** The line of its entry, from 0. */
  readonly line: number;
  /** The value of `${workspaceFolder}`; undefined for an agent of the user setting if no folder is open. */
  readonly folder: WorkspaceFolder | undefined;
}

/** The combined content of all agents files and the user setting. */
export interface FoundAgents {
  /**
   * By name: from agents files in the order of the folders, then VS Code's `mcp.json`, then the user setting.
   * If two name an agent, the first one applies.
   */
  readonly agents: ReadonlyMap<string, FoundAgent>;
  readonly problems: readonly AgentsProblem[];
}

/**
 * Reads `.vscode/agents.json` and `.vscode/mcp.json` of every root folder and the setting `parley.agents`,
 * and fires on changes once they have been read. Reading starts no agent.
 */
export class AgentFiles extends Owner {
  readonly #files = this.own(
    new FolderFiles([AGENTS_FILE, ...SERVER_FILES.map(({ path }) => path)], `parley.${AGENTS_SETTING}`),
  );

  readonly onDidChange = this.#files.onDidChange;

  /**
   * Reads the files without caching: they are small, and a late watcher must not cause a request to the wrong
   * agent.
   */
  read(): Promise<FoundAgents> {
    this.#files.follow();
    return readAll(workspace.workspaceFolders ?? []);
  }
}

/** A file or setting that names agents, with its content. */
interface Source extends AgentsFile {
  readonly file: Uri;
  readonly folder: WorkspaceFolder | undefined;
  readonly lineAt: (offset: number) => number;
}

async function readAll(folders: readonly WorkspaceFolder[]): Promise<FoundAgents> {
  const sources = [
    ...(await readFiles(folders, AGENTS_FILE, parseAgentsFile)),
    ...(await Promise.all(SERVER_FILES.map(({ path, read }) => readFiles(folders, path, read)))).flat(),
    readSetting(folders),
  ];
  const agents = new Map<string, FoundAgent>();
  const problems: AgentsProblem[] = [];
  for (const { file, folder, lineAt, issues, inputs, agents: configs } of sources) {
    for (const { span, message, agent } of issues)
      problems.push({ file, line: lineAt(span.start), message, agent });
    for (const config of configs.values()) {
      const first = agents.get(config.name);
      if (!first) agents.set(config.name, { config, inputs, file, folder, line: lineAt(config.span.start) });
      else problems.push({ file, line: lineAt(config.span.start), ...describeSecond(config.name, first) });
    }
  }
  return { agents, problems };
}

/** The file or setting that names agents, as the user knows it. */
export function describeFile(file: Uri): string {
  return file.scheme === SETTING_SCHEME ? SETTING_PLACE : workspace.asRelativePath(file);
}

function describeSecond(agent: string, { file }: FoundAgent): Pick<AgentsProblem, 'message' | 'agent'> {
  return {
    message: `The agent ${quote(agent)} is named in ${describeFile(file)} already, and that one counts; give this one another name`,
    agent,
  };
}

async function readFiles(
  folders: readonly WorkspaceFolder[],
  path: string,
  parse: (text: string) => AgentsFile,
): Promise<readonly Source[]> {
  const sources: Source[] = [];
  for (const folder of folders) {
    const file = Uri.joinPath(folder.uri, path);
    const reading = await readConfig(file);
    if (!reading.ok) sources.push({ ...refusedFile(path, reading.message), file, folder, lineAt: () => 0 });
    // Most folders have no agents file.
    if (!reading.ok || reading.text === undefined) continue;
    const lines = SourceText.of(reading.text);
    sources.push({ ...parse(reading.text), file, folder, lineAt: offset => lines.lineAt(offset) });
  }
  return sources;
}

/** Reads only the user's setting. Workspace settings are ignored, because any folder can contain some. */
function readSetting([folder]: readonly WorkspaceFolder[]): Source {
  const value = workspace.getConfiguration('parley').inspect<unknown>(AGENTS_SETTING)?.globalValue;
  const file = Uri.from({ scheme: SETTING_SCHEME, path: SETTING_PLACE });
  return { ...readSettingAgents(value), file, folder, lineAt: () => 0 };
}

/** The result for a file that cannot be read: no agents, and the reason. */
function refusedFile(path: string, reason: string): AgentsFile {
  const message = `${path} ${reason}; replace it with a text file of at most ${showBytes(MAX_CONFIG_BYTES)}`;
  return { agents: new Map(), inputs: new Map(), issues: [{ span: { start: 0, end: 0 }, message }] };
}
