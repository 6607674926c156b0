import { protocolRow } from '../../core/catalog/protocols.ts';
import { Redactor, findCredentials, redactUrl } from '../../core/secrets/redact.ts';
import type { ResolvedAgent } from '../config/resolve-agent.ts';
import type { SignInHost } from '../mcp/auth/host.ts';
import { showCommandLine } from '../stdio/command-line.ts';
import { failed, type Diagnosis, type DoctorStep } from './diagnosis.ts';
import { HTTP_STEPS } from './http-steps.ts';
import { STDIO_STEPS } from './stdio-steps.ts';
import { tryReply, type ReplyVisit } from './reply-steps.ts';

export interface DoctorOptions {
  /** How long each step may take, in milliseconds; 10,000 if left out. */
  readonly step?: number;
  /** What is kept of sign-ins: it is used as a call would use it, but nobody is asked to sign in. */
  readonly signIn?: SignInHost;
}

/**
 * Tries to reach an agent step by step, as a call would, and ends at the first step that fails. What is asked of the agent
 * is harmless: the list of its tools, or its page where it has no such list. Never throws.
 */
export async function diagnose(
  agent: ResolvedAgent,
  signal: AbortSignal,
  onStep: (step: DoctorStep) => void = () => undefined,
  { step: limit = 10_000, signIn }: DoctorOptions = {},
): Promise<Diagnosis> {
  const credentials = agent.type === 'http' ? findCredentials(agent.url.href, agent.headers) : [];
  let redactor = new Redactor([...agent.secrets, ...credentials]);
  const learnSecret = (value: string): void => void (redactor = redactor.with([value]));
  const steps: DoctorStep[] = [];
  for await (const step of trySteps({ agent, redactor, signal, limit, signIn, learnSecret })) {
    const clean = cleanStep(step, redactor);
    steps.push(clean);
    onStep(clean);
    if (step.status === 'failed' || signal.aborted) break;
  }
  const address =
    agent.type === 'http' ? redactUrl(agent.url.href) : showCommandLine(agent.command, agent.args);
  const { title } = protocolRow(agent.protocol);
  return { agent: agent.name, protocol: title, address: redactor.redactText(address), steps };
}

/** The diagnosis of an agent of which the agents file says nothing that could be tried. */
export function describeUnopened(agent: string, message: string): Diagnosis {
  const step = failed('Agents file', message.replace(/\.$/, ''), 'correct the agents file');
  return { agent, protocol: '', address: '', steps: [step] };
}

async function* trySteps(visit: ReplyVisit): AsyncGenerator<DoctorStep> {
  const { agent, limit, signal, redactor } = visit;
  if (agent.type === 'http') {
    for (const attempt of HTTP_STEPS) yield await attempt({ agent, limit, signal });
  } else for (const attempt of STDIO_STEPS) yield await attempt(agent, redactor);
  yield* tryReply(visit);
}

function cleanStep(step: DoctorStep, redactor: Redactor): DoctorStep {
  const { advice } = step;
  return {
    ...step,
    said: redactor.redactText(step.said),
    ...(advice === undefined ? {} : { advice: redactor.redactText(advice) }),
  };
}
