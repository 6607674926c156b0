import { commands, type Uri } from 'vscode';
import { readTimeout } from '../../protocol/src/language/directives.ts';
import type { LinePosition } from '../../protocol/src/text/line-index.ts';
import { quote } from '../../protocol/src/text/quote.ts';
import type { NamedReply } from '../../protocol/src/variables/reply-value.ts';
import type { RequestAtResult } from '../../protocol/src/wire/server-messages.ts';
import type { AgentInfo, AgentService, CallRequest } from './agent-service.ts';
import { chooseAgent } from './choose-agent.ts';
import { runCommand, showWarning, type Actions } from './messages.ts';
import { runCall, type Sent } from './run-call.ts';
import type { Services } from './services.ts';
import { IN_BROWSER, maySend, UNTRUSTED } from './trust.ts';

/**
 * Sends the request at a place of a document and shows its reply beside. Undefined where nothing was sent; the user then
 * has read why. Errors in the message stop it unless `anyway` is chosen. Who gives a `stopper` shows the progress.
 */
export async function sendAt(
  services: Services,
  uri: Uri,
  position: LinePosition,
  errors: 'stop' | 'anyway',
  stopper?: AbortController,
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
  const resolved = await resolveRequest(services, agents, { uri, request, agent: choice.agent });
  if (!resolved) return undefined;
  const { name, session } = request.directives;
  const call: CallRequest = {
    agent: choice.agent.name,
    title: name ?? request.title,
    ...resolved,
    language: request.language,
    doubtful: errors === 'anyway' ? 'send' : 'hold',
    timeout,
    ...(session === undefined ? {} : { session }),
    source: { uri: uri.toString(), line: request.start.line },
  };
  const again = (how: 'stop' | 'anyway'): unknown => sendAt(services, uri, position, how);
  const sent = await runCall(services, agents, call, {
    again,
    ...(stopper ? { stop: stopper } : {}),
    ...(name === undefined ? {} : { name }),
  });
  const { text, isProtocol } = sent.outcome;
  if (name !== undefined && isProtocol)
    services.namedReplies.set(uri, name, { language: request.language, text });
  return sent;
}

interface Asked {
  readonly uri: Uri;
  readonly request: RequestAtResult;
  readonly agent: AgentInfo;
}

/** The request with its variables replaced; undefined where one has no value, and the user knows why. */
async function resolveRequest(
  services: Services,
  agents: AgentService,
  { uri, request, agent }: Asked,
): Promise<Pick<CallRequest, 'wireText' | 'secrets'> | undefined> {
  const { language, wireText, scope } = request;
  if (!scope) return { wireText };
  const reply = (name: string): NamedReply | undefined => services.namedReplies.find(uri, name);
  const resolution = await agents.resolve({ agent: agent.name, language, wireText, scope, reply });
  if (!resolution) return undefined;
  if (!resolution.ok) return stop(`Not sent. ${resolution.problems.join('. ')}.`);
  for (const note of resolution.notes) services.log.info(`${agent.name}: ${note}`);
  return { wireText: resolution.wireText, secrets: resolution.secrets };
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
