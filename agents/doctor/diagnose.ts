import type { Protocols } from '../../protocols/protocol.ts';
import type { Connect } from '../connection.ts';
import { findProtocol } from '../../core/catalog/protocols.ts';
import { Redactor, findCredentials, redactUrl } from '../../core/secrets/redact.ts';
import type { ResolvedAgent } from '../config/resolve-agent.ts';
import type { SignInHost } from '../sign-in-host.ts';
import { showCommandLine } from '../stdio/command-line.ts';
import { failed, type Diagnosis, type DoctorStep, type StepStatus } from './diagnosis.ts';
import { HTTP_STEPS } from './http-steps.ts';
import { STDIO_STEPS } from './stdio-steps.ts';
import { tryReply, type ReplyVisit } from './reply-steps.ts';

/** How an agent is diagnosed. */
export interface DoctorOptions {
  /** The maximum number of milliseconds for each step; 10,000 by default. */
  readonly step?: number;
  /** The stored sign-ins: they are used as in a call, but the user is not asked to sign in. */
  readonly connect: Connect;
  /** The protocols that an agent is asked in if it does not answer in its own. */
  readonly protocols: Protocols;
  readonly signIn?: SignInHost;
}

/**
 * Tries to reach an agent step by step, as a call would, and stops at the first step that fails. The requests
 * are harmless: the list of its tools, or its page if it has no such list. Never throws.
 */
export async function diagnose(
  agent: ResolvedAgent,
  signal: AbortSignal,
  onStep: (step: DoctorStep) => void = () => undefined,
  { step: limit = 10_000, connect, protocols, signIn }: DoctorOptions,
): Promise<Diagnosis> {
  const credentials = agent.type === 'http' ? findCredentials(agent.url.href, agent.headers) : [];
  let redactor = new Redactor([...agent.secrets, ...credentials]);
  const learnSecret = (value: string): void => void (redactor = redactor.with([value]));
  const steps: DoctorStep[] = [];
  for await (const step of trySteps({
    connect,
    protocols,
    agent,
    redactor,
    signal,
    limit,
    signIn,
    learnSecret,
  })) {
    const clean = cleanStep(step, redactor);
    steps.push(clean);
    onStep(clean);
    if (step.status === 'failed' || signal.aborted) break;
  }
  const address =
    agent.type === 'http' ? redactUrl(agent.url.href) : showCommandLine(agent.command, agent.args);
  const title = findProtocol(agent.protocol)?.title ?? agent.protocol;
  return { agent: agent.name, protocol: title, address: redactor.redactText(address), steps };
}

/** The diagnosis of an agent whose entry in the agents file has nothing to try. */
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
    finding: redactor.redactText(step.finding),
    ...(advice === undefined ? {} : { advice: redactor.redactText(advice) }),
  };
}

const STATUS_WORDS: Readonly<Record<StepStatus, string>> = {
  passed: 'OK',
  failed: 'failed',
  skipped: 'skipped',
};

/**
 * The diagnosis as plain text in which words of the agent cannot act as markup: first the likely cause and
 * what to do, then each step with its result.
 */
export function printDiagnosis({ agent, protocol, address, steps }: Diagnosis): string {
  const failure = steps.find(step => step.status === 'failed');
  const widths = {
    status: Math.max(...steps.map(step => STATUS_WORDS[step.status].length)),
    name: Math.max(...steps.map(step => step.name.length)),
  };
  const rows = steps.map(({ name, status, finding }, at) => {
    const result = STATUS_WORDS[status].padEnd(widths.status);
    return `${String(at + 1).padStart(2)}. ${result}  ${name.padEnd(widths.name)}  ${onOneLine(finding)}`;
  });
  return [
    `Connection to ${onOneLine(agent)}`,
    ...(address === '' ? [] : [`${protocol} at ${onOneLine(address)}`]),
    '',
    ...(failure ? describeFailure(failure) : [describeSuccess(protocol, steps)]),
    '',
    'What was tried',
    ...rows,
    '',
  ].join('\n');
}

/** An agent that was not asked anything in its protocol may be one of another protocol. */
function describeSuccess(protocol: string, steps: readonly DoctorStep[]): string {
  const last = steps.at(-1);
  if (last?.status === 'skipped')
    return `Reachable, but not verified as ${protocol}: ${onOneLine(last.finding)}.`;
  const skipped = steps.filter(({ status }) => status === 'skipped').length;
  const count = skipped === 1 ? '1 step was' : `${skipped} steps were`;
  const more = skipped === 0 ? '' : ` ${count} skipped, because there was nothing to try.`;
  return `The agent answers in ${protocol}.${more}`;
}

function describeFailure({ name, finding, advice = '' }: DoctorStep): readonly string[] {
  const start = advice.replace(/^\p{Ll}/u, first => first.toUpperCase());
  return [`Likely cause (${name.toLowerCase()}): ${onOneLine(finding)}.`, `What to do: ${onOneLine(start)}.`];
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
