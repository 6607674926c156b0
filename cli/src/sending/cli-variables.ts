import { readEnv, type Variables } from '../../../agents/config/variables.ts';
import type { Terminal } from '../terminal.ts';
import type { DemoSource } from './demo-source.ts';

/**
 * The variables of the agents file on a command line, which never prompts: secrets and inputs come from
 * environment variables. `wanted` collects the names of those that are not set, for the error message.
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

/**
 * The environment variable of an input or a secret, such as `PARLEY_SECRET_FIGMA_TOKEN` for `figma-token`.
 * Shells allow no other characters in names.
 */
export function environmentName(kind: 'INPUT' | 'SECRET', name: string): string {
  return `PARLEY_${kind}_${name.toUpperCase().replace(/[^A-Z0-9_]/g, '_')}`;
}
