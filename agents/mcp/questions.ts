import type {
  Client,
  CreateMessageRequest,
  CreateMessageResult,
  ElicitRequest,
  ElicitResult,
  Root,
} from '@modelcontextprotocol/client';
import { asList, readFields } from '../../core/text/fields.ts';
import { quote } from '../../core/text/quote.ts';
import type { AgentQuestions } from '../../core/message/message.ts';
import type { McpCall } from './call.ts';
import type { Routes } from './routes.ts';

/**
 * The questions that we accept, as agents are informed. A field that the user leaves out has its default
 * (SEP-1034).
 */
export const CAPABILITIES = {
  sampling: {},
  elicitation: { form: { applyDefaults: true }, url: {} },
  roots: {},
};

/** The code for a refusal by the user (MCP, sampling). */
export const REJECTED = -1;

/** The maximum number of an agent's log messages that are noted with a call. */
const MAX_LOGGED = 100;
/** The maximum number of characters of a log message in a note. */
const LONGEST_LOG = 1_000;

/**
 * Passes what an agent asks while a call is open to the user: a text that a model would write (sampling),
 * values or a visit to an address (elicitation), its folders (roots). If the question cannot be answered, it
 * is declined as MCP requires and noted. Log messages of the agent are noted too.
 */
export function answerQuestions(client: Client, agent: string, routes: Routes): void {
  client.setRequestHandler('sampling/createMessage', ({ params }, { mcpReq }) =>
    ask(routes, 'sampling (the answer of a model)', mcpReq.signal, {
      put: (questions, signal) => sample(questions, agent, params, signal),
      relayed: { method: 'sampling/createMessage', params, isAnswer: isSampled },
      decline: () => {
        throw Object.assign(new Error('User rejected sampling request'), { code: REJECTED });
      },
    }),
  );
  client.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) =>
    ask(routes, 'input of the user (elicitation)', mcpReq.signal, {
      put: (questions, signal) => elicit(questions, agent, params, signal),
      relayed: { method: 'elicitation/create', params, isAnswer: isElicited },
      decline: (): ElicitResult => ({ action: 'decline' }),
    }),
  );
  client.setRequestHandler('roots/list', async () => {
    // They are also sent after the call, which is when some agents ask for them.
    const call = routes.current;
    const asking = call?.request.questions && listRoots(call.request.questions, agent, call.ended);
    const roots = (await (call?.isOpen && asking ? call.whileAsking(asking) : asking)) ?? [];
    if (roots.length === 0)
      call?.note('The agent requested the folders of the workspace (roots); the answer was an empty list');
    return { roots: roots.map(root => ({ ...root })) };
  });
  noteLogs(client, routes);
  noteOthers(client, routes);
}

interface Question<T> {
  /** The question as it was asked, for a caller that speaks MCP as well. */
  readonly relayed: {
    readonly method: string;
    readonly params: unknown;
    readonly isAnswer: (answer: unknown) => answer is T;
  };
  /** Undefined if the user declines. */
  readonly put: (questions: AgentQuestions, signal: AbortSignal) => Promise<T | undefined>;
  readonly decline: () => T;
}

async function ask<T>(
  routes: Routes,
  what: string,
  signal: AbortSignal,
  { relayed, put, decline }: Question<T>,
): Promise<T> {
  const call = routes.current;
  const questions = call?.isOpen ? call.request.questions : undefined;
  if (!call || !questions) {
    noteDeclined(call, what);
    return decline();
  }
  const both = AbortSignal.any([signal, call.ended]);
  const { method, params, isAnswer } = relayed;
  const answer = await call.whileAsking(questions.relay?.({ method, params }, both) ?? put(questions, both));
  return isAnswer(answer) ? answer : decline();
}

function isSampled(answer: unknown): answer is CreateMessageResult {
  const fields = readFields(answer);
  return fields !== undefined && ['role', 'content', 'model'].every(name => fields.has(name));
}

function isElicited(answer: unknown): answer is ElicitResult {
  return readFields(answer)?.has('action') === true;
}

async function listRoots(
  questions: AgentQuestions,
  agent: string,
  signal: AbortSignal,
): Promise<readonly Root[]> {
  if (!questions.relay) return questions.listRoots(agent);
  const answer = await questions.relay({ method: 'roots/list', params: undefined }, signal);
  return asList(readFields(answer)?.get('roots')).filter(isRoot);
}

function isRoot(root: unknown): root is Root {
  return typeof readFields(root)?.get('uri') === 'string';
}

function noteDeclined(call: McpCall | undefined, what: string): void {
  call?.note(`The agent requested ${what}; no user is present to answer, so it was declined`);
}

async function sample(
  questions: AgentQuestions,
  agent: string,
  params: CreateMessageRequest['params'],
  signal: AbortSignal,
): Promise<CreateMessageResult | undefined> {
  const { systemPrompt, maxTokens } = params;
  const messages = params.messages.map(({ role, content }) => ({ role, text: showContent(content) }));
  const text = await questions.writeText({ agent, systemPrompt, messages, maxTokens }, signal);
  if (text === undefined) return undefined;
  return { role: 'assistant', content: { type: 'text', text }, model: 'the user', stopReason: 'endTurn' };
}

type SampledContent = CreateMessageRequest['params']['messages'][number]['content'];

/** The text of a message; other content is shown as its type. */
function showContent(content: SampledContent): string {
  const parts = Array.isArray(content) ? content : [content];
  return parts.map(part => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n');
}

async function elicit(
  questions: AgentQuestions,
  agent: string,
  params: ElicitRequest['params'],
  signal: AbortSignal,
): Promise<ElicitResult> {
  const { message } = params;
  if (params.mode === 'url')
    return { action: await questions.openAddress({ agent, message, url: params.url }, signal) };
  const answer = await questions.fillForm({ agent, message, schema: params.requestedSchema }, signal);
  if (answer.action !== 'accept') return { action: answer.action };
  const content = Object.entries(answer.content).map(([name, value]): [string, FormValue] => [
    name,
    typeof value === 'object' ? [...value] : value,
  ]);
  return { action: 'accept', content: Object.fromEntries(content) };
}

type FormValue = string | number | boolean | string[];

function noteLogs(client: Client, routes: Routes): void {
  const counts = new WeakMap<McpCall, number>();
  client.setNotificationHandler('notifications/message', ({ params }) => {
    const call = routes.current;
    if (!call) return;
    const count = (counts.get(call) ?? 0) + 1;
    counts.set(call, count);
    if (count > MAX_LOGGED) {
      call.note('The agent sent more log messages than are noted; all of them are in the raw reply');
      return;
    }
    const text = typeof params.data === 'string' ? params.data : JSON.stringify(params.data);
    call.note(`The agent logs (${params.level}): ${quote(text, LONGEST_LOG)}`);
  });
}

/** Notes the notifications that nobody reads, each kind once for a call. */
function noteOthers(client: Client, routes: Routes): void {
  const noted = new WeakMap<McpCall, Set<string>>();
  client.fallbackNotificationHandler = ({ method }) => {
    const call = routes.current;
    const known = (call && noted.get(call)) ?? new Set<string>();
    if (call && !known.has(method) && known.size < MAX_LOGGED) {
      call.note(`The agent sent the notification ${quote(method, LONGEST_METHOD)}, which has no effect here`);
      noted.set(call, known.add(method));
    }
    return Promise.resolve();
  };
}

/** The maximum number of characters of a method in a note. */
const LONGEST_METHOD = 100;
