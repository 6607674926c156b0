import { commands, Range, workspace, WorkspaceEdit, type Uri } from 'vscode';
import { readTimeout } from '../../../language/directives.ts';
import type { LinePosition } from '../../../core/text/source-text.ts';
import { quote } from '../../../core/text/quote.ts';
import type { NamedReply } from '../../../language/variables/reply-value.ts';
import type { RequestAtResult, WireTextEdit } from '../../../wire/server-messages.ts';
import type { AgentInfo, AgentService, CallRequest, WarningPolicy } from '../services/agent-service.ts';
import { chooseAgent } from '../services/choose-agent.ts';
import { COMPOSE_SCHEME, SELECTION_SCHEME } from './compose-document.ts';
import { reportHeld, type Held } from './held.ts';
import { showWarning, type Actions } from '../window/messages.ts';
import { textOfRequest } from './request-text.ts';
import { OPEN_FILE, runCall, type CallHost, type Sent } from './run-call.ts';
import { IN_BROWSER, maySend, UNTRUSTED } from '../base/trust.ts';
import type { Calling } from './calling.ts';

const UNSHOWN: ReadonlySet<string> = new Set([COMPOSE_SCHEME, SELECTION_SCHEME]);

/** The options of sending a request of a document. */
export interface SendOptions {
  readonly errors: WarningPolicy;
  /** Receives progress and failures; without it the user is notified. */
  readonly host?: CallHost | undefined;
}

/**
 * Sends the request at a position of a document and shows its reply beside. Returns undefined if nothing was
 * sent; the reason was reported, unless the user cancelled a question.
 */
export async function sendAt(
  services: Calling,
  uri: Uri,
  position: LinePosition,
  options: SendOptions,
): Promise<Sent | undefined> {
  const again = (errors: SendOptions['errors']): unknown => sendAt(services, uri, position, { errors });
  const prepared = await prepare(services, uri, position, options.errors);
  if (!prepared) return undefined;
  if ('kind' in prepared) {
    if (options.host) options.host.onHeld(prepared);
    else reportHeld(prepared, () => again('send'));
    return undefined;
  }
  const { agents, call, name } = prepared;
  const { host } = options;
  const sent = await runCall(services, agents, call, {
    again,
    host,
    ...(name === undefined ? {} : { name }),
  });
  const { text, isProtocol } = sent.outcome;
  if (name !== undefined && isProtocol)
    services.namedReplies.set(uri, name, { language: call.language, text });
  return sent;
}

/** A request that is ready to be sent. */
interface Prepared {
  readonly agents: AgentService;
  readonly call: CallRequest;
  readonly name: string | undefined;
}

/** Returns undefined if the user cancelled a question. */
async function prepare(
  services: Calling,
  uri: Uri,
  position: LinePosition,
  errors: SendOptions['errors'],
): Promise<Prepared | Held | undefined> {
  if (!maySend()) return refuse(UNTRUSTED, MANAGE_TRUST);
  const { agents } = services;
  if (!agents) return refuse(IN_BROWSER);
  const document = await workspace.openTextDocument(uri);
  const request = await services.server.requestAt(uri, position);
  if (!request) return refuse('There is no request here. Put the cursor on a request and send it again.');
  if (request.refusal !== undefined) return refuse(`Not sent. ${request.refusal}.`);
  const wireText = textOfRequest(document, request);
  if (errors === 'hold' && request.blockers.length > 0)
    return holdForErrors(uri, request, () => sendAt(services, uri, position, { errors }));
  const { name, session, agent, timeout: seconds } = request.directives;
  const choice = await chooseAgent(await agents.list(), request, agent, services.picked);
  if (!choice) return undefined;
  if ('problem' in choice) return refuse(choice.problem, OPEN_FILE);
  const timeout = readTimeout(seconds);
  if (timeout === 'wrong') {
    return refuse(
      `The time-out ${quote(seconds ?? '')} is not a number of seconds. Write it as in # @timeout 30.`,
    );
  }
  const resolved = await resolveRequest(services, agents, { uri, request, wireText, agent: choice.agent });
  if (!resolved || 'kind' in resolved) return resolved;
  const call: CallRequest = {
    agent: choice.agent.name,
    title: name ?? request.title,
    ...resolved,
    language: request.language,
    warningPolicy: errors,
    timeout,
    ...(session === undefined ? {} : { session }),
    // Nobody can go back to a document that no editor shows, so a position in it is not stored.
    ...(UNSHOWN.has(uri.scheme) ? {} : { source: { uri: uri.toString(), line: request.start.line } }),
  };
  return { agents, call, name };
}

interface PendingSend {
  readonly uri: Uri;
  readonly request: RequestAtResult;
  readonly wireText: string;
  readonly agent: AgentInfo;
}

/** Replaces the variables of a request. Returns why one has no value, or undefined if the user cancelled a question. */
async function resolveRequest(
  services: Calling,
  agents: AgentService,
  { uri, request, wireText, agent }: PendingSend,
): Promise<Pick<CallRequest, 'wireText' | 'secrets'> | Held | undefined> {
  const { language, scope } = request;
  if (!scope) return { wireText };
  const missing = new Set<string>();
  const reply = (name: string): NamedReply | undefined => {
    const found = services.namedReplies.find(uri, name);
    if (!found) missing.add(name);
    return found;
  };
  const resolution = await agents.resolve({
    agent: agent.name,
    language,
    wireText,
    scope,
    reply,
    uri: uri.toString(),
  });
  if (!resolution) return undefined;
  if (!resolution.ok) {
    const sendFirst = [...missing].map(
      name => [`Send ${quote(name)} and go on`, () => sendInOrder(services, uri, name, request)] as const,
    );
    return refuse(`Not sent. ${resolution.problems.join('. ')}.`, new Map(sendFirst.slice(0, 1)));
  }
  for (const note of resolution.notes) services.log.info(`${agent.name}: ${note}`);
  return { wireText: resolution.wireText, secrets: resolution.secrets };
}

/** Sends the request of a file with a name and, if it succeeds, the one that needs its reply. */
async function sendInOrder(
  services: Calling,
  uri: Uri,
  name: string,
  { start }: RequestAtResult,
): Promise<void> {
  for (const position of await services.server.requestsIn(uri, undefined)) {
    if ((await services.server.requestAt(uri, position))?.directives.name !== name) continue;
    const sent = await sendAt(services, uri, position, { errors: 'hold' });
    if (sent?.outcome.status === 'ok') await sendAt(services, uri, start, { errors: 'hold' });
    return;
  }
}

function holdForErrors(uri: Uri, request: RequestAtResult, again: () => unknown): Held {
  const { blockers, fixes = [] } = request;
  const [first = '', ...others] = blockers;
  const rest = others.length === 0 ? '' : `, and ${others.length} more`;
  const fix = async (): Promise<void> => {
    if (await applyFixes(uri, request, fixes)) await again();
  };
  const actions: Actions = new Map([
    ...(fixes.length === 0 ? [] : [['Fix and send', fix] as const]),
    ['Show problems', () => commands.executeCommand('workbench.actions.view.problems')],
  ]);
  return {
    kind: 'errors',
    reason: `Not sent, because the request has errors. Line ${first}${rest}`,
    actions,
  };
}

/** Applies fixes to a document; false if it was edited since the request was found. */
async function applyFixes(
  uri: Uri,
  { version }: RequestAtResult,
  fixes: readonly WireTextEdit[],
): Promise<boolean> {
  const document = await workspace.openTextDocument(uri);
  if (document.version !== version) {
    showWarning('The request changed meanwhile, so nothing was fixed or sent. Send it again.');
    return false;
  }
  const edit = new WorkspaceEdit();
  for (const { range, newText } of fixes) {
    const { start, end } = range;
    edit.replace(uri, new Range(start.line, start.character, end.line, end.character), newText);
  }
  return workspace.applyEdit(edit);
}

const MANAGE_TRUST: Actions = new Map([
  ['Manage trust', () => commands.executeCommand('workbench.trust.manage')],
]);

function refuse(reason: string, actions: Actions = new Map()): Held {
  return { kind: 'refused', reason, actions };
}
