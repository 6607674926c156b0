import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import type { Redactor } from '../../core/secrets/redact.ts';
import type { ResolvedStdioAgent } from '../config/resolve-agent.ts';
import { showCommandLine } from './command-line.ts';
import { describeMissingFolder, type StdioFailure } from './failure.ts';

/** Everything that the system needs to start a process. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** The command line and the command as they are shown, without the agent's secrets. */
  readonly line: string;
  readonly name: string;
  /** Reports what is started instead of the command, if anything. */
  readonly note?: string;
}

export type LaunchPlan =
  | { readonly ok: true; readonly launch: Launch }
  | { readonly ok: false; readonly failure: StdioFailure };

const IS_WINDOWS = process.platform === 'win32';

/**
 * Finds out how an agent is started. If there is no Node on the path, the command `node` means our own
 * runtime, which VS Code provides.
 */
export async function planLaunch(agent: ResolvedStdioAgent, redactor: Redactor): Promise<LaunchPlan> {
  const { command, args, cwd } = agent;
  const line = redactor.redactText(showCommandLine(command, args));
  const name = redactor.redactText(command);
  if (!(await isFolder(cwd)))
    return { ok: false, failure: describeMissingFolder(line, redactor.redactText(cwd)) };
  const env = mergeEnvironment(process.env, agent.env);
  if (command !== 'node' || (await isOnPath('node', env, cwd)))
    return { ok: true, launch: { command, args, env, cwd, line, name } };
  return {
    ok: true,
    launch: {
      command: process.execPath,
      args,
      // With this, Electron (VS Code) runs as Node.
      env: process.versions['electron'] === undefined ? env : { ...env, ELECTRON_RUN_AS_NODE: '1' },
      cwd,
      line,
      name,
      note: "There is no 'node' on the path; the agent runs in the runtime that Parley itself runs in",
    },
  };
}

/** Our environment with the agent's variables on top. Names are case-sensitive except on Windows. */
function mergeEnvironment(ours: NodeJS.ProcessEnv, own: ReadonlyMap<string, string>): NodeJS.ProcessEnv {
  const merged = { ...ours };
  for (const [name, value] of own) {
    if (IS_WINDOWS) {
      const same = Object.keys(merged).filter(each => each.toUpperCase() === name.toUpperCase());
      for (const each of same) delete merged[each];
    }
    merged[name] = value;
  }
  return merged;
}

/** Where the system searches if the environment has no path (`confstr(_CS_PATH)`). */
const DEFAULT_PATH = '/bin:/usr/bin';

/** True if a folder on the path of an environment contains a program of that name. */
export async function isOnPath(name: string, env: NodeJS.ProcessEnv, cwd: string): Promise<boolean> {
  const key = Object.keys(env).find(each => (IS_WINDOWS ? each.toUpperCase() : each) === 'PATH') ?? 'PATH';
  const folders = (env[key] ?? (IS_WINDOWS ? '' : DEFAULT_PATH)).split(delimiter);
  for (const folder of folders)
    if (await isProgram(resolve(cwd, join(folder, IS_WINDOWS ? `${name}.exe` : name)))) return true;
  return false;
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    // What cannot be examined cannot be started.
    return false;
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    // What cannot be examined is no folder to run in.
    return false;
  }
}
