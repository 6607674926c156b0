import { protocolRow } from '../../../protocol/src/catalog/protocols.ts';
import { Redactor, findCredentials, redactUrl } from '../../../protocol/src/trace/redact.ts';
import type { ResolvedAgent } from '../config/resolve-agent.ts';
import { showCommandLine } from '../stdio/command-line.ts';
import { failed, type Diagnosis, type DoctorStep } from './diagnosis.ts';
import { HTTP_STEPS, type HttpVisit } from './http-steps.ts';
import { STDIO_STEPS } from './stdio-steps.ts';
import { tryReply } from './reply-steps.ts';

/** How long each step may take, in milliseconds. */
export interface DoctorLimits {
  readonly step: number;
}

const DEFAULT_LIMITS: DoctorLimits = { step: 10_000 };

/**
 * Tries to reach an agent step by step, as a call would, and ends at the first step that fails. What is asked of the agent
 * is harmless: the list of its tools, or its page where it has no such list. Never throws.
 */
export async function diagnose(
  agent: ResolvedAgent,
  signal: AbortSignal,
  onStep: (step: DoctorStep) => void = () => undefined,
  limits: DoctorLimits = DEFAULT_LIMITS,
): Promise<Diagnosis> {
  const credentials = agent.type === 'http' ? findCredentials(agent.url.href, agent.headers) : [];
  const redactor = new Redactor([...agent.secrets, ...credentials]);
  const steps: DoctorStep[] = [];
  for await (const step of trySteps(agent, redactor, signal, limits.step)) {
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

async function* trySteps(
  agent: ResolvedAgent,
  redactor: Redactor,
  signal: AbortSignal,
  limit: number,
): AsyncGenerator<DoctorStep> {
  if (agent.type === 'http') {
    const visit: HttpVisit = { agent, limit, signal };
    for (const attempt of HTTP_STEPS) yield await attempt(visit);
  } else for (const attempt of STDIO_STEPS) yield await attempt(agent, redactor);
  yield* tryReply(agent, redactor, signal, limit);
}

function cleanStep(step: DoctorStep, redactor: Redactor): DoctorStep {
  const { advice } = step;
  return {
    ...step,
    said: redactor.redactText(step.said),
    ...(advice === undefined ? {} : { advice: redactor.redactText(advice) }),
  };
}
