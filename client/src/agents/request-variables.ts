import { readEnv } from '../../../agents/config/read-env.ts';
import { randomUUID } from 'node:crypto';
import {
  resolveVariables,
  type Resolution,
  type VariableLookups,
} from '../../../language/variables/resolve.ts';
import { withEnvironment } from '../../../language/variables/scope.ts';
import type { EnvironmentService, VariableTask } from '../agent-service.ts';

/** Where a task's secrets come from: undefined where the user left the question, which `left` is told. */
type FindSecret = (name: string) => Promise<string | undefined>;

/**
 * Replaces the variables of a request. Undefined where the user left the question for a secret: who leaves it does not
 * want the request, and knows that nothing was sent.
 */
export async function resolveTask(
  { language, wireText, scope, reply }: VariableTask,
  environments: EnvironmentService,
  findSecret: FindSecret,
): Promise<Resolution | undefined> {
  const { variables, problems } = await environments.list();
  if (problems.length > 0) return { ok: false, problems };
  let hasLeft = false;
  const lookups: VariableLookups = {
    secret: async name => {
      // One answer is enough: after the first question that was left none is asked.
      const value = hasLeft ? undefined : await findSecret(name);
      hasLeft ||= value === undefined;
      return value;
    },
    env: name => readEnv(process.env, name),
    reply,
    uuid: randomUUID,
    timestamp: () => Math.floor(Date.now() / 1000),
    secretAdvice: () => 'send again and type it in',
  };
  const resolution = await resolveVariables(
    { language, wireText, scope: withEnvironment(scope, variables) },
    lookups,
  );
  return hasLeft ? undefined : resolution;
}
