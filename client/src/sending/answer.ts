import { window, workspace } from 'vscode';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import type { AgentQuestion } from '../../../core/message/message.ts';
import type { AgentService, CallOutcome, CallRequest } from '../services/agent-service.ts';
import { toAgentItem } from '../services/choose-agent.ts';
import { showError, showInformation } from '../window/messages.ts';
import { pickItem } from '../window/sinks/quick-input.ts';

/**
 * Offers to answer an agent that waits for an answer (LightAICL 1.0, section 5.1): with a message that the user
 * writes, or with the reply of another agent to the same request. `send` sends the answer.
 */
export function offerAnswer(
  agents: AgentService,
  request: CallRequest,
  { question }: CallOutcome,
  send: (request: CallRequest) => Promise<unknown>,
): void {
  if (!question) return;
  const actions = new Map([
    ['Write answer', () => openAnswer(request.agent, question)],
    ['Ask another agent…', () => forward(agents, request, question, send)],
  ]);
  showInformation(`${request.agent}: ${question.text}.`, actions);
}

/** Opens a prepared answer. */
async function openAnswer(agent: string, { protocol, session }: AgentQuestion): Promise<void> {
  const { facts, conversations } = ALL_PROTOCOLS.find(protocol) ?? {};
  const answer = conversations?.writeAnswer?.(session);
  if (!facts || answer === undefined) return;
  const content = `# @agent ${agent}\n${answer}`;
  await window.showTextDocument(await workspace.openTextDocument({ language: facts.language, content }));
}

/** Sends the agent's request to an agent that the user picks, and its reply back. */
async function forward(
  agents: AgentService,
  request: CallRequest,
  question: AgentQuestion,
  send: (request: CallRequest) => Promise<unknown>,
): Promise<void> {
  const answer = await askAnother(agents, request, question);
  if (!answer) return;
  const { agent, language, warningPolicy } = request;
  await send({ agent, language, warningPolicy, title: 'result', wireText: answer.wireText });
}

/** The answer of another agent to a question, as a message for the agent that asks. */
export interface ForwardedAnswer {
  readonly agent: string;
  readonly wireText: string;
}

/**
 * Sends the request of an agent that asks to another one, which the user picks. Returns undefined if the user cancels,
 * or after an error message.
 */
export async function askAnother(
  agents: AgentService,
  request: Pick<CallRequest, 'agent' | 'language' | 'warningPolicy'>,
  { protocol, session, request: wireText }: AgentQuestion,
): Promise<ForwardedAnswer | undefined> {
  const { agents: listed } = await agents.list();
  const chosen = await pickItem(listed.map(toAgentItem), { title: `Agent that answers ${request.agent}` });
  if (!chosen) return undefined;
  const { language, warningPolicy } = request;
  const asked = { agent: chosen.agent.name, title: 'question', wireText, language, warningPolicy };
  const begun = await agents.call(asked, () => undefined, new AbortController().signal);
  const { status, text, message } = 'status' in begun ? begun : await begun.outcome;
  if (status === 'cancelled') return undefined;
  const answer = ALL_PROTOCOLS.find(protocol)?.conversations?.nameSession?.(text, session);
  if (status === 'ok' && answer) return { agent: chosen.agent.name, wireText: answer.text };
  return showError(`${chosen.agent.name} gave no answer. ${message ?? 'Look at its reply in the traces.'}`);
}
