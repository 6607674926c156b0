import { commands, type LogOutputChannel, type Uri } from 'vscode';
import { readTimeout } from '../../protocol/src/language/directives.ts';
import type { LinePosition } from '../../protocol/src/text/line-index.ts';
import { quote } from '../../protocol/src/text/quote.ts';
import type { CallNode } from '../../protocol/src/trace/tree.ts';
import { describeOutcome } from '../../protocol/src/trace/words.ts';
import type { RequestAtResult } from '../../protocol/src/wire/server-messages.ts';
import type { AgentInfo, AgentService, CallOutcome } from './agent-service.ts';
import { chooseAgent } from './choose-agent.ts';
import { runCommand, showError, showWarning, type Actions } from './messages.ts';
import { withPatience } from './progress.ts';
import { LiveReply } from './replies/live-reply.ts';
import type { Services } from './services.ts';
import { IN_BROWSER, maySend, UNTRUSTED } from './trust.ts';

/** What a finished send leaves: the call's id, and the reply's document where one opened. */
export interface Sent {
  readonly call: string;
  readonly outcome: CallOutcome;
  readonly reply: Uri | undefined;
}

/**
 * Sends the request at a place of a document and shows its reply beside. Undefined where nothing was sent; the user then
 * has read why. Errors in the message stop it unless `anyway` is chosen.
 */
export async function sendAt(
  services: Services,
  uri: Uri,
  position: LinePosition,
  errors: 'stop' | 'anyway',
): Promise<Sent | undefined> {
  if (!maySend()) return refuseUntrusted();
  const { agents } = services;
  if (!agents) return stop(IN_BROWSER);
  const request = await services.server.requestAt(uri, position);
  if (!request) return stop('No request stands here. Put the cursor on a request and send it again.');
  if (request.refusal !== undefined) return stop(`Not sent. ${request.refusal}.`);
  if (errors === 'stop' && request.blockers.length > 0) return stopAtErrors(services, uri, position, request);
  const choice = await chooseAgent(
    await agents.list(),
    request.language,
    request.directives.agent,
    services.picked,
  );
  if (!choice) return undefined;
  if ('problem' in choice) return stopWithoutAgent(choice.problem);
  const timeout = readTimeout(request.directives.timeout);
  if (timeout === 'wrong') {
    return stop(
      `The time-out ${quote(request.directives.timeout ?? '')} is not a number of seconds. Write it as in # @timeout 30.`,
    );
  }
  return callAgent(services, agents, { uri, request, agent: choice.agent, timeout });
}

interface Sending {
  readonly uri: Uri;
  readonly request: RequestAtResult;
  readonly agent: AgentInfo;
  readonly timeout: number | undefined;
}

async function callAgent(services: Services, agents: AgentService, sending: Sending): Promise<Sent> {
  const { uri, request, agent, timeout } = sending;
  const title = request.directives.name ?? request.title;
  const abort = new AbortController();
  let tellBegun = (): void => undefined;
  let tellVisible = (): void => undefined;
  const signs = {
    begun: new Promise<void>(resolve => (tellBegun = resolve)),
    visible: new Promise<void>(resolve => (tellVisible = resolve)),
  };
  const live = new LiveReply(services.replies, services.growing, title, request.language);
  let id = '';
  const listener = {
    started: (call: string): void => {
      id = call;
      live.setCall(call);
      services.running.add(call, abort);
      tellBegun();
    },
    progress: (added: string): void => {
      tellVisible();
      live.grow(added);
    },
  };
  const source = { uri: uri.toString(), line: request.start.line };
  const wire = { agent: agent.name, title, wireText: request.wireText, timeout, source };
  try {
    const work = agents.call(wire, listener, abort.signal);
    const outcome = await withPatience(`Waiting for ${agent.name}: ${title}`, work, signs, abort);
    const node = services.traces.findCall(id)?.node;
    logOutcome(services.log, `${agent.name}, ${title}`, outcome, node);
    const reply = await live.finish(
      outcome.text,
      toNode(outcome, node),
      outcome.isProtocol ? 'protocol' : 'foreign',
    );
    tellFailure(outcome, reply, id);
    return { call: id, outcome, reply };
  } finally {
    live.dispose();
    services.running.delete(id);
  }
}

/** One line for each call: an error where it failed, with its reason. */
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

/** The traces know the duration; where they were cleared meanwhile, the outcome alone has to do. */
function toNode(
  outcome: CallOutcome,
  node: CallNode | undefined,
): Pick<CallNode, 'status' | 'code' | 'duration' | 'wire'> {
  const { status, code } = outcome;
  return { status, code, duration: node?.duration, wire: node?.wire ?? [] };
}

/** A protocol's own error is read in the reply. What never became a reply needs a sentence. */
function tellFailure(outcome: CallOutcome, reply: Uri | undefined, call: string): void {
  const isTold = outcome.isProtocol && reply !== undefined;
  if (outcome.status === 'ok' || outcome.status === 'cancelled' || isTold) return;
  const message = outcome.message ?? 'The call failed.';
  // A call that never began has no row: what is wrong stands in the agents file.
  if (call === '')
    showError(message, new Map([['Open agents file', () => runCommand('parley.openAgentsFile')]]));
  else showError(message, new Map([['Show call', () => runCommand('parley.openCall', call)]]));
}

function stopAtErrors(
  services: Services,
  uri: Uri,
  position: LinePosition,
  request: RequestAtResult,
): undefined {
  const [first = '', ...others] = request.blockers;
  const rest = others.length === 0 ? '' : `, and ${others.length} more`;
  const actions: Actions = new Map([
    ['Show problems', () => commands.executeCommand('workbench.actions.view.problems')],
    ['Send anyway', () => sendAt(services, uri, position, 'anyway')],
  ] satisfies [string, () => unknown][]);
  showWarning(`Not sent, because the request has errors. Line ${first}${rest}`, actions);
  return undefined;
}

function stopWithoutAgent(problem: string): undefined {
  showWarning(problem, new Map([['Open agents file', () => runCommand('parley.openAgentsFile')]]));
  return undefined;
}

function refuseUntrusted(): undefined {
  const manage = (): Thenable<unknown> => commands.executeCommand('workbench.trust.manage');
  showWarning(UNTRUSTED, new Map([['Manage trust', manage]]));
  return undefined;
}

function stop(message: string): undefined {
  showWarning(message, new Map());
  return undefined;
}
