import type { InputConfig } from './agent-config.ts';
import { SHORTEST_TOKEN } from '../../core/secrets/redact.ts';
import type { Secret } from '../../core/text/secret.ts';
import { quote } from '../../core/text/quote.ts';

/**
 * The variables of agents.json: `${env:X}`, `${input:X}`, `${secret:X}`, `${demo:NAME}`,
 * `${workspaceFolder}`.
 */
export const VARIABLE_KINDS = ['env', 'input', 'secret', 'demo', 'workspaceFolder'] as const;
export type VariableKind = (typeof VARIABLE_KINDS)[number];

/**
 * Looks variables up, with one function per kind. A function returns undefined for a name without a value;
 * `workspaceFolder` is called with an empty name.
 */
export type Variables = Readonly<
  Record<VariableKind, (name: string) => Promise<string | undefined> | string | undefined>
>;

/** A text with its variables replaced, or why the first faulty one could not be. */
export type Expansion =
  | {
      readonly ok: true;
      readonly text: string;
      /** True if part of the text came from a secret variable. */
      readonly holdsSecret: boolean;
      /**
       * The values of secret variables that are replaced wherever they occur; short ones of the environment
       * are not.
       */
      readonly secrets: readonly Secret[];
    }
  | { readonly ok: false; readonly message: string };

/**
 * True for variables whose values are never stored or shown. The environment may contain tokens, so all of it
 * counts; inputs count if they are hidden while typed, or are not listed in the file.
 */
const IS_SECRET: Readonly<Record<VariableKind, (input: InputConfig | undefined) => boolean>> = {
  env: () => true,
  input: input => input?.isPassword !== false,
  secret: () => true,
  demo: () => false,
  workspaceFolder: () => false,
};

/** What to do about a variable without a value. */
const ADVICE: Readonly<Record<VariableKind, (name: string) => string>> = {
  env: name => `set the environment variable ${quote(name)} and start again`,
  input: name => `enter a value for it, and check that 'inputs' lists ${quote(name)}`,
  secret: name => `store a secret under the name ${quote(name)}`,
  demo: name => `there is no demo agent ${quote(name)} running; start the demo agents or correct its name`,
  workspaceFolder: () => 'open a folder',
};

/**
 * Replaces the variables of a text; each occurrence is looked up. A lookup that throws counts as one without
 * a value.
 */
export async function expandVariables(
  text: string,
  variables: Variables,
  inputs: ReadonlyMap<string, InputConfig>,
): Promise<Expansion> {
  const parts: string[] = [];
  const secrets: Secret[] = [];
  let holdsSecret = false;
  let from = 0;
  for (const found of text.matchAll(/\$\{([^{}]*)\}/g)) {
    const [kindName = '', ...rest] = (found[1] ?? '').split(':');
    const name = rest.join(':');
    const kind = VARIABLE_KINDS.find(each => each === kindName);
    if (!kind || (kind === 'workspaceFolder') !== (rest.length === 0)) {
      return { ok: false, message: `${quote(found[0])} is not a variable; known are ${KNOWN}` };
    }
    const value = await lookUp(variables, kind, name);
    if (value === undefined) {
      return { ok: false, message: `The variable ${quote(found[0])} has no value; ${ADVICE[kind](name)}` };
    }
    if (value !== '' && IS_SECRET[kind](inputs.get(name))) {
      holdsSecret = true;
      // A request in a file names a secret by the same name.
      if (kind === 'secret') secrets.push({ value, template: `{{secret ${name}}}` });
      else if (kind === 'input' || value.length >= SHORTEST_TOKEN) secrets.push(value);
    }
    parts.push(text.slice(from, found.index), value);
    from = found.index + found[0].length;
  }
  parts.push(text.slice(from));
  return { ok: true, text: parts.join(''), holdsSecret, secrets };
}

const KNOWN = '${env:NAME}, ${input:ID}, ${secret:NAME}, ${demo:NAME} and ${workspaceFolder}';

async function lookUp(variables: Variables, kind: VariableKind, name: string): Promise<string | undefined> {
  try {
    return await variables[kind](name);
  } catch {
    // A failed lookup has no value; the message that follows names the variable.
    return undefined;
  }
}

/** The value of an environment variable; undefined for names that every JavaScript object has. */
export function readEnv(env: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  return Object.hasOwn(env, name) ? env[name] : undefined;
}

/**
 * The secrets, inputs and environment variables that the entry of an agent uses, each once, for the user who allows
 * it: `secret 'figma'`.
 */
export function listSecrets(entry: unknown): readonly string[] {
  const text = JSON.stringify(entry, (_, value: unknown) => (value instanceof Map ? [...value] : value));
  const uses = [...text.matchAll(/\$\{(secret|input|env):([^{}]*)\}/g)];
  return [...new Set(uses.map(([, kind = '', name = '']) => `${USED.get(kind) ?? kind} ${quote(name)}`))];
}

const USED: ReadonlyMap<string, string> = new Map([['env', 'environment variable']]);
