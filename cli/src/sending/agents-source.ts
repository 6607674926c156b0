import { dirname, join, resolve } from 'node:path';
import type { AgentConfig, AgentsFile } from '../../../agents/config/agent-config.ts';
import { AGENTS_FILE, parseAgentsFile } from '../../../agents/config/agents-file.ts';
import { MAX_CONFIG_BYTES, readRegularFile } from '../../../agents/regular-file.ts';
import { SourceText } from '../../../core/text/source-text.ts';
import { findSimilar } from '../../../core/text/similar.ts';
import { UsageError } from '../exit.ts';
import { cannotOpen } from '../files.ts';
import type { Terminal } from '../terminal.ts';
import { decodeUtf8 } from '../utf8.ts';

/** A parsed agents file and its location. */
export interface AgentsSource {
  /** The file's name, as shown to the user. */
  readonly name: string;
  /** The value of `${workspaceFolder}`: the folder that contains `.vscode`, else the folder of the file. */
  readonly workspaceFolder: string;
  readonly file: AgentsFile;
  /** The faults of the file, one line each, with the position. */
  readonly faults: readonly string[];
  /** True if the user named the file, which is the consent to use all its agents. */
  readonly isNamed: boolean;
}

/**
 * Reads the agents file that the user named, else the nearest `.vscode/agents.json` from the working folder upwards,
 * else the nearest one from the folder of `beside`, the file to send. Throws a UsageError if there is none.
 */
export async function loadAgents(
  terminal: Terminal,
  named: string | undefined,
  beside?: string,
): Promise<AgentsSource> {
  if (named !== undefined) {
    const found = await readIfThere(resolve(terminal.cwd, named));
    if (found) return { ...toSource(found.path, named, found.bytes), isNamed: true };
    throw new UsageError(`Cannot open '${named}': there is no such file`);
  }
  for (const from of [
    terminal.cwd,
    ...(beside === undefined ? [] : [dirname(resolve(terminal.cwd, beside))]),
  ]) {
    const found = await findUpwards(from);
    if (found) return { ...toSource(found.path, found.path, found.bytes), isNamed: false };
  }
  throw new UsageError(
    `There is no ${AGENTS_FILE} in this folder or above it: make one, or name a file with --agents`,
  );
}

interface FoundFile {
  readonly path: string;
  readonly bytes: Buffer;
}

async function findUpwards(from: string): Promise<FoundFile | undefined> {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = await readIfThere(join(folder, AGENTS_FILE));
    if (found || dirname(folder) === folder) return found;
  }
}

/** The file at a path, of a configuration's size; undefined if there is none. */
export async function readIfThere(path: string): Promise<FoundFile | undefined> {
  try {
    return { path, bytes: await readRegularFile(path, MAX_CONFIG_BYTES) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw cannotOpen(path, error);
  }
}

function toSource(path: string, name: string, bytes: Uint8Array): Omit<AgentsSource, 'isNamed'> {
  const decoded = decodeUtf8(bytes);
  if (!decoded.ok)
    throw new UsageError(`'${name}' is not UTF-8 from byte ${decoded.badByte} on: save it as UTF-8`);
  const file = parseAgentsFile(decoded.text);
  const lines = SourceText.of(decoded.text);
  const faults = file.issues.map(({ span, message }) => {
    const { line, character } = lines.toPosition(span.start);
    return `${name}:${line + 1}:${character + 1}: error: ${message}`;
  });
  const holder = dirname(path);
  const workspaceFolder = path.endsWith(join(AGENTS_FILE)) ? dirname(holder) : holder;
  return { name, workspaceFolder, file, faults };
}

/** Prints the faults in the entries of used agents, such as a header that cannot be sent. */
export function printFaults(
  terminal: Terminal,
  { file, faults }: AgentsSource,
  used: readonly AgentConfig<string>[],
): void {
  const names = new Set<string | undefined>(used.map(({ name }) => name));
  for (const [index, fault] of faults.entries())
    if (names.has(file.issues[index]?.agent)) terminal.err(`${fault}\n`);
}

/** The agent with a name. Throws a UsageError that lists the known names if there is none. */
export function findAgent(source: AgentsSource, name: string): AgentConfig {
  const agent = source.file.agents.get(name);
  if (agent) return agent;
  const names = [...source.file.agents.keys()];
  const similar = findSimilar(name, names);
  const advice = similar ? `did you mean '${similar}'?` : `it has ${names.join(', ') || 'none'}`;
  throw new UsageError(
    [`There is no agent '${name}' in '${source.name}': ${advice}`, ...source.faults].join('\n'),
  );
}
