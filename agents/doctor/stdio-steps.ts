import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { quote } from '../../core/text/quote.ts';
import type { Redactor } from '../../core/secrets/redact.ts';
import type { ResolvedStdioAgent } from '../config/resolve-agent.ts';
import { isOnPath, planLaunch } from '../stdio/launch.ts';
import { failed, passed, type DoctorStep } from './diagnosis.ts';

/** The steps before a process is started, in order. */
export const STDIO_STEPS: readonly ((
  agent: ResolvedStdioAgent,
  redactor: Redactor,
) => Promise<DoctorStep>)[] = [tryFolder, tryCommand];

async function tryFolder(agent: ResolvedStdioAgent, redactor: Redactor): Promise<DoctorStep> {
  const plan = await planLaunch(agent, redactor);
  return plan.ok
    ? passed('Folder', `It runs in ${plan.launch.cwd}`)
    : failed('Folder', `There is no folder ${quote(agent.cwd, LONGEST)}`, "correct the agent's 'cwd'");
}

async function tryCommand(agent: ResolvedStdioAgent, redactor: Redactor): Promise<DoctorStep> {
  const plan = await planLaunch(agent, redactor);
  const { command, args, env, cwd, note } = plan.ok ? plan.launch : { ...agent, env: {}, note: undefined };
  const line =
    args.length === 0 ? '' : `, with ${args.length === 1 ? '1 argument' : `${args.length} arguments`}`;
  if (note !== undefined) return passed('Command', note);
  const isPath = /[\\/]/.test(command);
  const isFound = isPath ? await isProgram(resolve(cwd, command)) : await isOnPath(command, env, cwd);
  if (isFound) return passed('Command', `${quote(command, LONGEST)} was found${line}`);
  // The system also searches for file name endings that are unknown here.
  if (process.platform === 'win32')
    return passed('Command', `${quote(command, LONGEST)} is looked up by the system`);
  return failed(
    'Command',
    isPath
      ? `${quote(command, LONGEST)} is not there, or is not executable`
      : `${quote(command, LONGEST)} was not found on PATH`,
    "install it, or correct the agent's 'command'",
  );
}

const LONGEST = 200;

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    // What cannot be examined cannot be started.
    return false;
  }
}
