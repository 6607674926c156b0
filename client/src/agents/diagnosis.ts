import { connectAgent } from '../../../agents/all.ts';
import type { ResolvedAgent } from '../../../agents/config/resolve-agent.ts';
import { describeUnopened, diagnose, printDiagnosis } from '../../../agents/doctor/diagnose.ts';
import type { SignInHost } from '../../../agents/sign-in-host.ts';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import type { CallOutcome } from '../services/agent-service.ts';

/**
 * The report of the connection diagnosis of an agent, or of why it could not be opened, as Markdown. `onStep`
 * receives the name of each step as it begins. Returns undefined if the user cancelled a question.
 */
export async function diagnoseAgent(
  name: string,
  agent: ResolvedAgent | CallOutcome,
  signIn: SignInHost,
  onStep: (step: string) => void,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!('status' in agent))
    return printDiagnosis(
      await diagnose(agent, signal, step => onStep(step.name), {
        connect: connectAgent,
        protocols: ALL_PROTOCOLS,
        signIn,
      }),
    );
  return agent.status === 'cancelled'
    ? undefined
    : printDiagnosis(describeUnopened(name, agent.message ?? ''));
}
