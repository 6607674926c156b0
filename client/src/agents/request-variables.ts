import { readRequestFile, type RequestFolder } from '../../../agents/regular-file.ts';
import { readEnv } from '../../../agents/config/variables.ts';
import { randomUUID } from 'node:crypto';
import {
  resolveVariables,
  type Resolution,
  type VariableLookups,
  listEnvironmentNames,
} from '../../../language/variables/resolve.ts';
import { withEnvironment } from '../../../language/variables/scope.ts';
import type { EnvironmentService, VariableTask } from '../services/agent-service.ts';

/** Finds the value of a secret; undefined if the user cancels the question. */
type FindSecret = (name: string) => Promise<string | undefined>;

/** Returns true if the user allows a request to send environment variables with these names. */
type MaySend = (names: readonly string[]) => Promise<boolean>;

/**
 * Replaces the variables of a request. Returns undefined if the user cancelled the question for a secret or for variables of
 * the environment; no message is needed then.
 */
export async function resolveTask(
  { language, wireText, scope, reply }: VariableTask,
  environments: EnvironmentService,
  findSecret: FindSecret,
  maySendVariables: MaySend,
  folder: RequestFolder,
): Promise<Resolution | undefined> {
  const { variables, problems } = await environments.list();
  if (problems.length > 0) return { ok: false, problems };
  const request = { language, wireText, scope: withEnvironment(scope, variables) };
  // Those without a value cannot be sent; resolving reports them.
  const names = [...listEnvironmentNames(request)].filter(name => readEnv(process.env, name) !== undefined);
  if (names.length > 0 && !(await maySendVariables(names))) return undefined;
  let hasLeft = false;
  const lookups: VariableLookups = {
    secret: async name => {
      // After one cancelled question no other is asked.
      const value = hasLeft ? undefined : await findSecret(name);
      hasLeft ||= value === undefined;
      return value;
    },
    file: path => readRequestFile(path, folder),
    env: name => readEnv(process.env, name),
    reply,
    uuid: randomUUID,
    timestamp: () => Math.floor(Date.now() / 1000),
    secretAdvice: () => 'send again and type it in',
  };
  const resolution = await resolveVariables(request, lookups);
  return hasLeft ? undefined : resolution;
}
