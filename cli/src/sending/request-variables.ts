import { readEnv } from '../../../agents/config/read-env.ts';
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import {
  listEnvironments,
  parseEnvironmentsFile,
  variablesOf,
} from '../../../agents/config/environments-file.ts';
import { MOST_CONFIG_BYTES, readRegularFile } from '../../../agents/regular-file.ts';
import { ENVIRONMENTS_FILE } from '../../../core/catalog/variables.ts';
import type { OpenDocument, SendableRequest } from '../../../language/support.ts';
import { SourceText } from '../../../core/text/source-text.ts';
import type { NamedSecret } from '../../../core/text/secret.ts';
import type { NamedReply } from '../../../language/variables/reply-value.ts';
import { listEnvironmentNames } from '../../../language/variables/environment-names.ts';
import {
  resolveVariables,
  type Resolution,
  type VariableRequest,
} from '../../../language/variables/resolve.ts';
import { scopeAt, type EnvironmentVariable } from '../../../language/variables/scope.ts';
import { UsageError } from '../exit.ts';
import { cannotOpen } from '../files.ts';
import type { Terminal } from '../terminal.ts';
import { environmentName } from './cli-variables.ts';

/** The variables of the requests of one file, while they are sent one after the other. */
export class RequestVariables {
  readonly #terminal: Terminal;
  readonly #document: OpenDocument;
  readonly #environment: readonly EnvironmentVariable[];
  readonly #replies = new Map<string, NamedReply>();
  /** Of all requests so far: a later reply may repeat what an earlier request carried. */
  readonly #secrets = new Map<string, NamedSecret>();

  constructor(terminal: Terminal, document: OpenDocument, environment: readonly EnvironmentVariable[]) {
    this.#terminal = terminal;
    this.#document = document;
    this.#environment = environment;
  }

  /** The environment variables whose values a request would send. */
  listEnvironmentNames(request: SendableRequest): ReadonlySet<string> {
    return request.directives.literal === undefined
      ? listEnvironmentNames(this.#scoped(request))
      : new Set<string>();
  }

  /** Replaces the variables of a request; the secrets are those of all requests so far. */
  async resolve(request: SendableRequest): Promise<Resolution> {
    const { wireText, directives } = request;
    if (directives.literal !== undefined)
      return { ok: true, wireText, secrets: [...this.#secrets.values()], notes: [] };
    const { env } = this.#terminal;
    const resolved = await resolveVariables(this.#scoped(request), {
      secret: name => readEnv(env, environmentName('SECRET', name)),
      env: name => readEnv(env, name),
      reply: name => this.#replies.get(name),
      uuid: randomUUID,
      timestamp: () => Math.floor(Date.now() / 1000),
      secretAdvice: name =>
        `on the command line set the environment variable ${environmentName('SECRET', name)}`,
    });
    if (!resolved.ok) return resolved;
    for (const secret of resolved.secrets) this.#secrets.set(secret.value, secret);
    return { ...resolved, secrets: [...this.#secrets.values()] };
  }

  #scoped({ wireText, span }: SendableRequest): VariableRequest {
    const scope = scopeAt(this.#document.definitions(), span.start, this.#environment);
    return { language: this.#document.language, wireText, scope };
  }

  /** Keeps the reply to a named request for the requests after it. */
  keepReply({ directives }: SendableRequest, text: string): void {
    const { name } = directives;
    if (name !== undefined && text !== '')
      this.#replies.set(name, { language: this.#document.language, text });
  }
}

/**
 * The variables of an environment of `.vscode/parley.env.json` in the workspace's folder; without a name those that all
 * share. Throws a UsageError for a file that is wrong and for a name that it has not.
 */
export async function loadEnvironment(
  workspaceFolder: string,
  name: string | undefined,
): Promise<readonly EnvironmentVariable[]> {
  const path = join(workspaceFolder, ENVIRONMENTS_FILE);
  const text = await readIfThere(path);
  if (text === undefined && name === undefined) return [];
  if (text === undefined)
    throw new UsageError(`There is no environment '${name ?? ''}': there is no file '${path}'`);
  const file = parseEnvironmentsFile(text);
  const [issue] = file.issues;
  if (issue) {
    const line = SourceText.of(text).lineAt(issue.span.start) + 1;
    throw new UsageError(`'${path}' is wrong in line ${line}: ${issue.message}`);
  }
  const names = listEnvironments(file);
  if (name !== undefined && !names.includes(name))
    throw new UsageError(
      `There is no environment '${name}' in '${path}'; it has: ${names.join(', ') || 'none'}`,
    );
  return variablesOf(file, name ?? '');
}

/**
 * The variables of all environments of the file that is nearest to a folder, upwards, for who does not know which of them
 * a request will be sent with: without their values. None where the file is wrong, which sending tells.
 */
export async function listAnyEnvironment(folder: string): Promise<readonly EnvironmentVariable[]> {
  for (let from = folder; ; from = dirname(from)) {
    const text = await readIfThere(join(from, ENVIRONMENTS_FILE));
    if (text === undefined && dirname(from) !== from) continue;
    const { environments } = parseEnvironmentsFile(text ?? '{}');
    return [...environments.values()].flat().map(variable => ({ ...variable, value: UNKNOWN }));
  }
}

/** A value that depends on something: nothing is said of it before a request is sent. */
const UNKNOWN = '{{$env UNKNOWN}}';

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return (await readRegularFile(path, MOST_CONFIG_BYTES)).toString();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw cannotOpen(path, error);
  }
}
