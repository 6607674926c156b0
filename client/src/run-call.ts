import type { LogOutputChannel, Uri } from 'vscode';
import type { CallNode } from '../../trace/fold/tree.ts';
import { describeOutcome, type Outcome } from '../../trace/words.ts';
import type { AgentService, CallOutcome, CallRequest } from './agent-service.ts';
import { defer } from './deferred.ts';
import { findHeld, tellHeld, type Held } from './held.ts';
import type { HistoryEntry } from './history/entry.ts';
import { runCommand, showError, type Actions } from './messages.ts';
import { offerNegotiation } from './negotiate.ts';
import { withPatience } from './progress.ts';
import { LiveReply } from './replies/live-reply.ts';
import { findRetryDelay, sendAfter } from './retry.ts';
import type { Services } from './services.ts';

/** What a finished send leaves: the call's id, and the reply's document where one opened. */
export interface Sent {
  readonly call: string;
  /** What lists of calls show of the request, and its language. */
  readonly title: string;
  readonly language: CallRequest['language'];
  readonly outcome: CallOutcome;
  readonly reply: Uri | undefined;
}

/** Who shows a call in the place of notifications: a form, the composer, many requests that go out in a row. */
export interface CallHost {
  readonly stop: AbortController;
  /** Whether the reply opens in an editor. */
  readonly reply: 'beside' | 'none';
  /** Is told why the request did not go out. */
  onHeld(held: Held): void;
  /** Hears what the reply's text grew by. */
  onProgress?(added: string): void;
}

/** What goes with a call besides its request. */
export interface CallOptions {
  /** Sends the request once more, for a user who asks for it; `anyway` although there is a doubt about it. */
  again(errors: 'stop' | 'anyway'): unknown;
  /** Who shows the progress, and why the call failed or did not go out; without one the user is told here. */
  readonly host?: CallHost | undefined;
  /** The name of the request in its file, by `# @name`. */
  readonly name?: string;
}

/**
 * Sends a request to its agent, shows its reply beside while it comes, and keeps both in the history. Where a reply to the
 * same request still grows, that call is stopped first, and its reply stays.
 */
export async function runCall(
  services: Services,
  agents: AgentService,
  request: CallRequest,
  options: CallOptions,
): Promise<Sent> {
  const { agent, title, language } = request;
  const { host } = options;
  const abort = host?.stop ?? new AbortController();
  const visible = defer<undefined>();
  const over = defer<undefined>();
  const live = new LiveReply(services.replies, services.growing, title, language);
  const places = listPlaces(request.source, options.name);
  await services.running.endStreams(places);
  const progress = (added: string): void => {
    visible.resolve(undefined);
    if (host?.reply !== 'none') live.grow(added);
    host?.onProgress?.(added);
  };
  let id = '';
  let asked = '';
  const send = async (): Promise<CallOutcome> => {
    const begun = await beginning;
    if ('status' in begun) return begun;
    id = begun.call;
    asked = begun.shown;
    live.setCall(id);
    services.running.add(id, { stop: abort, places, over: over.promise, reply: live });
    return begun.outcome;
  };
  const at = Date.now();
  const beginning = agents.call(request, progress, abort.signal);
  try {
    const signs = { begun: beginning.then(() => undefined), visible: visible.promise };
    const work = send();
    const outcome = await (host ? work : withPatience(`Waiting for ${agent}: ${title}`, work, signs, abort));
    const node = services.traces.findCall(id)?.node;
    logOutcome(services.log, `${agent}, ${title}`, outcome, node);
    const form = outcome.isProtocol ? 'protocol' : 'foreign';
    const shown = toNode(outcome, node);
    const reply = host?.reply === 'none' ? undefined : await live.finish(outcome.text, shown, form);
    const sent = { call: id, title, language, outcome, reply };
    const held = findHeld(request, outcome);
    if (held && host) host.onHeld(held);
    else if (held) tellHeld(held, () => options.again('anyway'));
    if (held) return sent;
    if (id !== '') services.history.add(toEntry(request, sent, { at, asked, duration: node?.duration }));
    if (!host) tellFailure(sent, node, agent, options);
    const sendNext = async (next: CallRequest): Promise<CallOutcome> =>
      (await runCall(services, agents, next, { again: how => options.again(how) })).outcome;
    offerNegotiation(request, outcome, sendNext);
    return sent;
  } finally {
    live.dispose();
    services.running.delete(id);
    over.resolve(undefined);
  }
}

/** What a request of a file is known by: where it stands, and its name there. */
function listPlaces(source: CallRequest['source'], name: string | undefined): readonly string[] {
  if (!source) return [];
  const byName = name === undefined ? [] : [JSON.stringify([source.uri, name])];
  return [JSON.stringify([source.uri, source.line]), ...byName];
}

function toEntry(
  { agent, wireText, timeout, source }: CallRequest,
  { call, title, language, outcome }: Sent,
  {
    at,
    asked,
    duration,
  }: { readonly at: number; readonly asked: string; readonly duration: number | undefined },
): HistoryEntry {
  const { status, text, isProtocol, code, message } = outcome;
  return {
    call,
    at,
    agent,
    title,
    language,
    asked,
    isRedacted: asked !== wireText,
    text,
    status,
    isProtocol,
    ...(code === undefined ? {} : { code }),
    ...(message === undefined ? {} : { message }),
    ...(duration === undefined ? {} : { duration }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(source && { source }),
  };
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
function toNode(outcome: CallOutcome, node: CallNode | undefined): Outcome {
  const { status, code } = outcome;
  return { status, code, duration: node?.duration, ...(node && { traffic: node.traffic }) };
}

/** A protocol's own error is read in the reply. What never became a reply needs a sentence. */
function tellFailure(
  { outcome, reply, call }: Sent,
  node: CallNode | undefined,
  agent: string,
  options: CallOptions,
): void {
  const message = outcome.message ?? 'The call failed.';
  const isTold = outcome.isProtocol && reply !== undefined;
  if (outcome.status === 'ok' || outcome.status === 'cancelled' || isTold) return;
  showError(message, call === '' ? OPEN_FILE : listWaysOn(call, node, agent, options));
}

/** A call that never began has no row: what is wrong stands in the agents file. */
const OPEN_FILE: Actions = new Map([['Open agents file', () => runCommand('parley.openAgentsFile')]]);

function listWaysOn(call: string, node: CallNode | undefined, agent: string, options: CallOptions): Actions {
  const delay = findRetryDelay(node, Date.now());
  // Who reads the message for a while has waited already.
  const again = (): unknown =>
    sendAfter(findRetryDelay(node, Date.now()), agent, () => options.again('stop'));
  const label = delay === 0 ? 'Send again' : `Send again in ${Math.ceil(delay / 1000)} s`;
  return new Map([
    [label, again],
    ['Show why', () => runCommand('parley.diagnoseAgent', agent)],
    ['Show call', () => runCommand('parley.openCall', call)],
  ]);
}
