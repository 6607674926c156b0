import type { LogOutputChannel, Uri } from 'vscode';
import type { ProgressStep } from '../../../core/message/message.ts';
import type { CallNode } from '../../../trace/fold/tree.ts';
import { describeOutcome, type Outcome } from '../../../trace/words.ts';
import type { AgentService, CallOutcome, CallRequest, WarningPolicy } from '../services/agent-service.ts';
import { defer } from '../base/deferred.ts';
import { findHeld, reportHeld, type Held } from './held.ts';
import { runCommand, showError, type Actions } from '../window/messages.ts';
import { offerAnswer } from './answer.ts';
import { offerNegotiation } from './negotiate.ts';
import { placeOf } from './running-calls.ts';
import { withPatience, type StepSource } from '../window/progress.ts';
import { LiveReply } from '../replies/live-reply.ts';
import { findRetryDelay, sendAfter } from './retry.ts';
import type { Calling } from './calling.ts';

/** The result of a finished call: its id, and the reply's document if one was opened. */
export interface Sent {
  readonly call: string;
  /** The title of the request in lists of calls. */
  readonly title: string;
  readonly outcome: CallOutcome;
  readonly reply: Uri | undefined;
}

/** Receives the progress of a call in place of notifications: a form, the composer, or a series of requests. */
export interface CallHost {
  readonly stop: AbortController;
  /** Whether the reply opens in an editor. */
  readonly reply: 'beside' | 'none';
  /** Receives the reason why the request was not sent. */
  onHeld(held: Held): void;
  /** Receives the id of the call once it is being sent. */
  onBegun?(call: string): void;
  /** Receives each addition to the reply's text. */
  onProgress?(added: string): void;
  /** Receives how far the agent says that it is. */
  onStep?(step: ProgressStep): void;
}

/** The options of a call besides its request. */
export interface CallOptions {
  /** Sends the request again on the user's request. `send` sends it despite warnings. */
  again(policy: WarningPolicy): unknown;
  /** Receives progress and failures; without it the user is notified. */
  readonly host?: CallHost | undefined;
  /** The name of the request in its file, from `# @name`. */
  readonly name?: string;
}

/**
 * Sends a request to its agent and shows the growing reply beside. If a reply to
 * the same request is still growing, that call is stopped first, and its reply stays open.
 */
export async function runCall(
  services: Calling,
  agents: AgentService,
  request: CallRequest,
  options: CallOptions,
): Promise<Sent> {
  const { agent, title, language } = request;
  const { host } = options;
  const abort = host?.stop ?? new AbortController();
  const visible = defer<undefined>();
  const over = defer<undefined>();
  const live = new LiveReply(services, title, language);
  const places = listPlaces(request.source, options.name);
  await services.running.endStreams(places);
  const steps = new Steps(host);
  const follow = followCall(host, live, steps, () => visible.resolve(undefined));
  let id = '';
  const send = async (): Promise<CallOutcome> => {
    const begun = await beginning;
    if ('status' in begun) return begun;
    id = begun.call;
    live.setCall(id);
    host?.onBegun?.(id);
    services.running.add(id, { stop: abort, places, over: over.promise, reply: live });
    return begun.outcome;
  };
  const beginning = agents.call(request, follow.progress, abort.signal, follow.step);
  try {
    const signs = { begun: beginning.then(() => undefined), visible: visible.promise, steps };
    const work = send();
    const outcome = await (host ? work : withPatience(`Waiting for ${agent}: ${title}`, work, signs, abort));
    const node = services.traces.findCall(id)?.node;
    logOutcome(services.log, `${agent}, ${title}`, outcome, node);
    const form = outcome.isProtocol ? 'protocol' : 'foreign';
    const shown = toNode(outcome, node);
    const reply = host?.reply === 'none' ? undefined : await live.finish(outcome.text, shown, form);
    const sent = { call: id, title, outcome, reply };
    const held = findHeld(request, outcome);
    if (held && host) host.onHeld(held);
    else if (held) reportHeld(held, () => options.again('send'));
    if (held) return sent;
    if (outcome.mistake) reportMistake(agent, outcome);
    else if (!host) reportFailure(sent, node, agent, options);
    const sendNext = async (next: CallRequest): Promise<CallOutcome> =>
      (await runCall(services, agents, next, { again: how => options.again(how) })).outcome;
    offerNegotiation(request, outcome, sendNext);
    if (!host) offerAnswer(agents, request, outcome, sendNext);
    return sent;
  } finally {
    live.dispose();
    services.running.delete(id);
    over.resolve(undefined);
  }
}

interface Follower {
  readonly progress: (added: string) => void;
  readonly step: (step: ProgressStep) => void;
}

/** Passes on what a call reports: to its host, and to its reply unless that opens nowhere. */
function followCall(
  host: CallHost | undefined,
  live: LiveReply,
  steps: Steps,
  onVisible: () => void,
): Follower {
  const isShown = host?.reply !== 'none';
  return {
    progress: added => {
      onVisible();
      if (isShown) live.grow(added);
      host?.onProgress?.(added);
    },
    step: each => {
      steps.show(each);
      if (isShown && live.step()) onVisible();
    },
  };
}

/** Passes on how far a call is: to its host, and to its notification once that is shown. */
class Steps implements StepSource {
  readonly #host: CallHost | undefined;
  #report: (step: ProgressStep) => void = () => undefined;

  constructor(host: CallHost | undefined) {
    this.#host = host;
  }

  show(step: ProgressStep): void {
    this.#host?.onStep?.(step);
    this.#report(step);
  }

  onShown(report: (step: ProgressStep) => void): void {
    this.#report = report;
  }
}

/** The keys that identify a request of a file: its position, and its name there. */
function listPlaces(source: CallRequest['source'], name: string | undefined): readonly string[] {
  if (!source) return [];
  const byName = name === undefined ? [] : [JSON.stringify([source.uri, name])];
  return [placeOf(source.uri, source.line), ...byName];
}

/** Logs one line per call; a failure is logged as an error with its reason. */
function logOutcome(
  log: LogOutputChannel,
  what: string,
  outcome: CallOutcome,
  node: CallNode | undefined,
): void {
  const line = `${what}: ${describeOutcome(toNode(outcome, node))}`;
  if (outcome.status === 'ok' || outcome.status === 'cancelled') log.info(line);
  else log.error(outcome.message === undefined ? line : `${line}. ${outcome.message}`);
}

/** The outcome with duration and traffic from the traces, if these still contain the call. */
function toNode(outcome: CallOutcome, node: CallNode | undefined): Outcome {
  const { status, code } = outcome;
  return { status, code, duration: node?.duration, ...(node && { traffic: node.traffic }) };
}

/**
 * Reports a failure that is not visible in a reply. An error in the protocol's language is shown in the reply
 * itself.
 */
function reportFailure(
  { outcome, reply, call }: Sent,
  node: CallNode | undefined,
  agent: string,
  options: CallOptions,
): void {
  const message = outcome.message ?? 'The call failed.';
  const isReported = outcome.isProtocol && reply !== undefined;
  if (outcome.status === 'ok' || outcome.status === 'cancelled' || isReported) return;
  showError(message, call === '' ? OPEN_FILE : listWaysOn(call, node, agent, options));
}

/** An entry that names another protocol than its agent speaks can be corrected at once. */
function reportMistake(agent: string, { message, mistake }: CallOutcome): void {
  const correct = (): unknown => runCommand('parley.correctAgent', agent, mistake);
  const why = (): unknown => runCommand('parley.diagnoseAgent', agent);
  const actions = [
    [`Change to ${mistake?.label ?? ''}`, correct],
    ['Show why', why],
  ] as const;
  showError(message ?? 'The call failed.', new Map(actions));
}

/** A call that never began has no row in the traces; the cause is in the agents file. */
export const OPEN_FILE: Actions = new Map([['Open agents file', () => runCommand('parley.openAgentsFile')]]);

function listWaysOn(call: string, node: CallNode | undefined, agent: string, options: CallOptions): Actions {
  const delay = findRetryDelay(node, Date.now());
  // Computed again at the click, because the user may have read the message for a while.
  const again = (): unknown =>
    sendAfter(findRetryDelay(node, Date.now()), agent, () => options.again('hold'));
  const label = delay === 0 ? 'Send again' : `Send again in ${Math.ceil(delay / 1000)} s`;
  return new Map([
    [label, again],
    ['Show why', () => runCommand('parley.diagnoseAgent', agent)],
    ['Show call', () => runCommand('parley.openCall', call)],
  ]);
}
