import type { AgentConfig } from '../../../agents/config/agent-config.ts';
import { findProtocol, takesRequests } from '../../../core/catalog/protocols.ts';
import { readTimeout } from '../../../language/directives.ts';
import type { OpenDocument, OutlineSymbol, SendableRequest } from '../../../language/support.ts';
import type { Protocol } from '../../../protocols/protocol.ts';
import type { Issue } from '../../../core/text/issue.ts';
import type { Span } from '../../../core/text/span.ts';
import { UsageError } from '../exit.ts';
import type { SourceFile } from '../files.ts';
import { issuesIn, listMessages, pickMessage } from '../messages.ts';
import { findAgent, type AgentsSource } from './agents-source.ts';

/** The plan for one message of a file: send it, or hold it back because of errors. */
export type Step = SendStep | HeldStep;

/** A request to be sent. */
export interface SendStep {
  readonly kind: 'send';
  readonly request: SendableRequest;
  readonly agent: AgentConfig;
  /** The time-out of the call in milliseconds; undefined for the default of the agent. */
  readonly timeout: number | undefined;
}

/** A message that is held back. `canForce` is false if no request could be parsed, or if sending it is refused. */
export interface HeldStep {
  readonly kind: 'held';
  readonly errors: readonly Issue[];
  readonly refusal?: string | undefined;
  readonly canForce: boolean;
}

/** The input of a plan besides the file. */
export interface PlanOptions {
  readonly agents: AgentsSource;
  /**
   * The agents of `--agent`. One agent gets all requests. Of several, each request names its agent, or the
   * only one that speaks the file's language is used. If empty, all agents of the file are candidates.
   */
  readonly named: readonly string[];
  /** Whether requests with errors are sent. */
  readonly faulty: 'hold' | 'send';
}

/**
 * Plans all messages in order before anything is sent, so that a wrong agent name or time-out stops all of them.
 * Replies in the file are skipped unless one was selected. Throws a UsageError if there is nothing to send.
 */
export function planSteps(file: SourceFile, document: OpenDocument, options: PlanOptions): readonly Step[] {
  const picked = file.message === undefined ? undefined : pickMessage(file, document, file.message);
  const messages = picked ? [picked] : listAsking(document);
  const errors = document.validate().filter(issue => issue.severity === 'error');
  const requests = document.requests();
  const steps: Step[] = [];
  let next = 0;
  let nextError = 0;
  for (const message of messages) {
    while ((requests[next]?.span.start ?? Infinity) < message.start) next++;
    while ((errors[nextError]?.span.end ?? Infinity) < message.start) nextError++;
    const candidate = requests[next];
    const request = candidate && candidate.span.end <= message.end ? candidate : undefined;
    const own = errorsAt(errors, nextError, message);
    const refusal = request?.refusal;
    if (refusal !== undefined || (own.length > 0 && (!request || options.faulty === 'hold'))) {
      const canForce = request !== undefined && refusal === undefined;
      steps.push({ kind: 'held', errors: own, refusal, canForce });
    } else if (request) {
      steps.push({
        kind: 'send',
        request,
        agent: chooseAgent(file, request, options),
        timeout: findTimeout(request),
      });
    }
  }
  if (steps.length === 0) throw new UsageError(describeNothing(file));
  return steps;
}

/** The answers that a file has for agents that ask: its messages that answer a request, each used once. */
export class PreparedAnswers {
  readonly #document: OpenDocument;
  readonly #used = new Set<SendableRequest>();

  constructor(document: OpenDocument) {
    this.#document = document;
  }

  /** The first unused answer below a request in the session of the question; undefined if there is none. */
  take({ request, agent }: SendStep, protocol: Protocol, session: string): SendStep | undefined {
    const found = this.#document
      .requests()
      .find(
        each =>
          each.span.start > request.span.start &&
          !this.#used.has(each) &&
          protocol.conversations?.readAnswered?.(each.wireText) === session,
      );
    if (!found) return undefined;
    this.#used.add(found);
    return { kind: 'send', request: found, agent, timeout: findTimeout(found) };
  }
}

/** The errors of a message. `errors` is sorted, and `from` is an index at or before the message's first error. */
function errorsAt(
  errors: readonly Issue[],
  from: number,
  message: { start: number; end: number },
): readonly Issue[] {
  let to = from;
  while ((errors[to]?.span.start ?? Infinity) <= message.end) to++;
  return issuesIn(errors.slice(from, to), message);
}

/** The messages without the replies of a recorded session, which are not sent, whatever errors they have. */
function listAsking(document: OpenDocument): readonly Span[] {
  const answers = document.symbols().flatMap(listAnswers);
  let next = 0;
  return listMessages(document).filter(message => {
    while ((answers[next]?.end ?? Infinity) < message.end) next++;
    return (answers[next]?.start ?? Infinity) > message.start;
  });
}

/** The spans of the replies in an outline, in text order. A reply is at the top level or below its request. */
function listAnswers(symbol: OutlineSymbol): readonly Span[] {
  if (symbol.kind === 'reply' || symbol.kind === 'error') return [symbol.span];
  return symbol.kind === 'call' ? symbol.children.flatMap(listAnswers) : [];
}

function describeNothing(file: SourceFile): string {
  return file.message === undefined
    ? `There is no request in '${file.name}'`
    : `Message ${file.message} of '${file.name}' is not a request`;
}

function findTimeout({ directives }: SendableRequest): number | undefined {
  const timeout = readTimeout(directives.timeout);
  if (timeout !== 'wrong') return timeout;
  throw new UsageError(
    `'# @timeout ${directives.timeout}' is not a number of seconds above 0 and below 1,000,000: correct or remove it`,
  );
}

function chooseAgent(file: SourceFile, request: SendableRequest, options: PlanOptions): AgentConfig {
  const { agents, named } = options;
  const candidates = named.map(each => findAgent(agents, each));
  const [only, another] = candidates;
  const name = request.directives.agent;
  const chosen = only && !another ? only : name === undefined ? undefined : findAgent(agents, name);
  if (!chosen)
    return onlyAgent(file, request, agents, another ? candidates : [...agents.file.agents.values()]);
  if (request.protocol === undefined || request.protocol === chosen.protocol) return chosen;
  const [own, other] = [request.protocol, chosen.protocol].map(each => findProtocol(each)?.short ?? each);
  throw new UsageError(
    `'${request.title}' of '${file.name}' is a request of ${own}, and the agent '${chosen.name}' speaks ${other}: ` +
      `name an agent of ${own}, or write the request in AICL or AICF, which are converted`,
  );
}

function onlyAgent(
  file: SourceFile,
  { protocol }: SendableRequest,
  agents: AgentsSource,
  all: readonly AgentConfig[],
): AgentConfig {
  const own = all.filter(agent => takesRequests(agent.protocol, file.language, protocol));
  const [agent, another] = own.length > 0 ? own : all;
  if (agent && !another) return agent;
  const names = all.map(each => each.name).join(', ') || 'none';
  throw new UsageError(
    `Which agent should get this? Name it with --agent or with '# @agent NAME' above the request; ` +
      `'${agents.name}' has: ${names}`,
  );
}
