import { readEnv } from '../../../agents/config/read-env.ts';
import type { Variables } from '../../../agents/config/variables.ts';
import type { Terminal } from '../terminal.ts';
import type { DemoSource } from './demo-source.ts';

/**
 * The variables of the agents file on a command line, which never asks: secrets and inputs come from the environment.
 * `wanted` collects the environment variables that were looked for in vain, for the message about it.
 */
export function listVariables(
  terminal: Terminal,
  workspaceFolder: string,
  demo: DemoSource,
  wanted: Set<string>,
): Variables {
  const lookUp = (name: string): string | undefined => {
    const value = readEnv(terminal.env, name);
    if (value === undefined) wanted.add(name);
    return value;
  };
  return {
    env: name => readEnv(terminal.env, name),
    input: name => lookUp(environmentName('INPUT', name)),
    secret: name => lookUp(environmentName('SECRET', name)),
    demo: name => demo.findAddress(name),
    workspaceFolder: () => workspaceFolder,
  };
}

/** `figma-token` as `PARLEY_SECRET_FIGMA_TOKEN`: shells take no other characters in a name. */
export function environmentName(kind: 'INPUT' | 'SECRET', name: string): string {
  return `PARLEY_${kind}_${name.toUpperCase().replace(/[^A-Z0-9_]/g, '_')}`;
}
