import { readRequestFile, type RequestFolder } from '../../../agents/regular-file.ts';
import { readEnv } from '../../../agents/config/variables.ts';
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import {
  listEnvironments,
  parseEnvironmentsFile,
  variablesOf,
} from '../../../agents/config/environments-file.ts';
import { ENVIRONMENTS_FILE } from '../../../core/catalog/variables.ts';
import type { OpenDocument, SendableRequest } from '../../../language/support.ts';
import { SourceText } from '../../../core/text/source-text.ts';
import type { NamedSecret } from '../../../core/text/secret.ts';
import type { NamedReply } from '../../../language/variables/reply-value.ts';
import {
  listEnvironmentNames,
  resolveVariables,
  type Resolution,
  type VariableRequest,
} from '../../../language/variables/resolve.ts';
import { scopeAt, type EnvironmentVariable } from '../../../language/variables/scope.ts';
import { UsageError } from '../exit.ts';
import type { Terminal } from '../terminal.ts';
import { readIfThere } from './agents-source.ts';
import { environmentName } from './cli-variables.ts';

/** Resolves the variables of the requests of one file, which are sent one after the other. */
export class RequestVariables {
  readonly #terminal: Terminal;
  readonly #folder: RequestFolder;
  readonly #document: OpenDocument;
  readonly #environment: readonly EnvironmentVariable[];
  readonly #replies = new Map<string, NamedReply>();
  /** The secrets of all requests so far, because a later reply may repeat what an earlier request carried. */
  readonly #secrets = new Map<string, NamedSecret>();

  constructor(
    terminal: Terminal,
    document: OpenDocument,
    environment: readonly EnvironmentVariable[],
    folder: RequestFolder,
  ) {
    this.#terminal = terminal;
    this.#folder = folder;
    this.#document = document;
    this.#environment = environment;
  }

  /** The environment variables whose values a request would send. */
  listEnvironmentNames(request: SendableRequest): ReadonlySet<string> {
    return request.directives.literal === undefined
      ? listEnvironmentNames(this.#scoped(request))
      : new Set<string>();
  }

  /** Replaces the variables of a request. The returned secrets are those of all requests so far. */
  async resolve(request: SendableRequest): Promise<Resolution> {
    const { wireText, directives } = request;
    if (directives.literal !== undefined)
      return { ok: true, wireText, secrets: [...this.#secrets.values()], notes: [] };
    const { env } = this.#terminal;
    const resolved = await resolveVariables(this.#scoped(request), {
      secret: name => readEnv(env, environmentName('SECRET', name)),
      file: path => readRequestFile(path, this.#folder),
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

  /** Stores the reply to a named request for use in later requests. */
  keepReply({ directives }: SendableRequest, text: string): void {
    const { name } = directives;
    if (name !== undefined && text !== '')
      this.#replies.set(name, { language: this.#document.language, text });
  }
}

/**
 * The variables of an environment in the workspace folder's `.vscode/parley.env.json`; without a name, the
 * shared ones. Throws a UsageError for a faulty file or an unknown name.
 */
export async function loadEnvironment(
  workspaceFolder: string,
  name: string | undefined,
): Promise<readonly EnvironmentVariable[]> {
  const path = join(workspaceFolder, ENVIRONMENTS_FILE);
  const text = (await readIfThere(path))?.bytes.toString();
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
 * The variables of all environments in the nearest environments file from a folder upwards, with unknown values. For
 * checks that do not know which environment will be used. Empty if the file is faulty; sending reports that.
 */
export async function listAnyEnvironment(folder: string): Promise<readonly EnvironmentVariable[]> {
  for (let from = folder; ; from = dirname(from)) {
    const text = (await readIfThere(join(from, ENVIRONMENTS_FILE)))?.bytes.toString();
    if (text === undefined && dirname(from) !== from) continue;
    const { environments } = parseEnvironmentsFile(text ?? '{}');
    return [...environments.values()].flat().map(variable => ({ ...variable, value: UNKNOWN }));
  }
}

/** A placeholder for a value that is unknown until the request is sent, so that checks do not judge it. */
const UNKNOWN = '{{$env UNKNOWN}}';
