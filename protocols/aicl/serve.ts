import { AICL_VERSIONS, MESSAGE_TYPES, type MessageTypeName } from '../../core/catalog/aicl.ts';
import { firstOf } from '../../core/text/count.ts';
import { message, type Message } from '../../core/message/message.ts';
import { Report } from '../../core/message/report.ts';
import { listValue, textIn, textValue, type Value } from '../../core/values/value.ts';
import { receiveAicl } from '../../language/rules/aicl/receive.ts';
import { compactJson } from '../../language/values/json-printer.ts';
import { NO_TOOLS } from '../../language/tools.ts';
import { findCurrentFault } from '../serving/argument-fault.ts';
import type {
  CallerReply,
  CallerRequest,
  ProtocolServer,
  Serve,
  ServedAgent,
  ServedCall,
  ServerHost,
} from '../serving/serving.ts';
import { ReplyMessages, type AnswerWriter } from './server/answer-writer.ts';
import { answerQuery } from './server/queries.ts';
import { joinChunks, type JoinedPart } from './server/received.ts';
import { Sessions, type OpenSession } from './server/sessions.ts';
import { aiclShape } from './shape.ts';

/** The path at which agents of LightAICL are served; the protocol names none. */
const AICL_PATH = '/';

/** The maximum number of messages of one request that are answered. */
const MAX_MESSAGES = 100;

/** The session of an answer to a message without one. */
const UNKNOWN = 'unknown';

/**
 * Serves an agent as a receiver of LightAICL over HTTP that follows the protocol strictly. Each message of a request is
 * answered in order, as soon as the answer is there. A session ends after 30 s without traffic.
 */
export const serveAicl: Serve = (agent, host) => new AiclServer(agent, host);

/** A message of a caller that is answered. */
interface Asked {
  readonly message: Message;
  readonly type: MessageTypeName;
  readonly session: OpenSession;
  readonly request: CallerRequest;
  readonly answers: AnswerWriter;
}

class AiclServer implements ProtocolServer {
  readonly path = AICL_PATH;
  readonly #agent: ServedAgent;
  readonly #host: ServerHost;
  readonly #sessions: Sessions;

  constructor(agent: ServedAgent, host: ServerHost) {
    this.#agent = agent;
    this.#host = host;
    this.#sessions = new Sessions(host);
  }

  async answer(request: CallerRequest, reply: CallerReply): Promise<void> {
    if (request.method !== 'POST')
      return reply.send(405, 'text/plain', 'Send a POST request with a message of LightAICL', {
        allow: 'POST',
      });
    const { parts, count } = receiveAicl(request.body, MAX_MESSAGES);
    const messages = new ReplyMessages(reply, this.#host);
    if (count === 0) messages.open(UNKNOWN).fail(1000, 'The request is empty; send one message of LightAICL');
    const joined = joinChunks(parts);
    for (const [index, part] of joined.entries()) {
      if (request.gone.aborted) return;
      const answers = messages.open(part.session || UNKNOWN, index === joined.length - 1 ? 'last' : 'more');
      await this.#answerPart(part, request, answers, reply);
    }
    if (count > MAX_MESSAGES)
      messages.open(UNKNOWN).fail(1000, `Only the first ${MAX_MESSAGES} messages of the request were read`);
    messages.end();
  }

  /** Refuses what a strict receiver must refuse, with the code of the first error, and answers the rest. */
  async #answerPart(
    part: JoinedPart,
    request: CallerRequest,
    answers: AnswerWriter,
    reply: CallerReply,
  ): Promise<void> {
    if (part.error) return answers.fail(part.error.code, part.error.text);
    const type = MESSAGE_TYPES.find(({ name }) => name === part.messageType)?.name;
    const read = part.message && type ? this.#read(part.message, reply) : undefined;
    if (!read || !type)
      return answers.fail(1000, 'This is not a message; send a dictionary with the header of LightAICL');
    const session = this.#sessions.begin(part.session);
    try {
      await this.#answerMessage({ message: read, type, session, request, answers });
    } finally {
      this.#sessions.end(session);
    }
  }

  #read(value: Value, reply: CallerReply): Message | undefined {
    const { protocols } = this.#host;
    const report = new Report();
    const read = aiclShape.read(value, { report, protocols, tools: NO_TOOLS, number: each => each });
    for (const note of report.notes) reply.note(note.message);
    return read;
  }

  async #answerMessage(asked: Asked): Promise<void> {
    const { message: given, type, answers } = asked;
    switch (type) {
      case 'protocol_negotiate':
        return negotiate(given, answers);
      case 'data_query':
        return this.#query(asked);
      case 'tool_call':
        return this.#callTool(asked);
      case 'task_request':
        return this.#call(asked, given);
      case 'result':
      case 'error':
        return this.#takeAnswer(asked);
    }
  }

  async #query(asked: Asked): Promise<void> {
    const { message: given, request, answers } = asked;
    const offer = await this.#agent.offer(request, 'current');
    const query = textIn(given.fields.query);
    const found = query === undefined ? undefined : answerQuery(query, offer);
    if (found?.kind === 'data') return answers.send(message('result', { data: found.data }));
    if (found?.kind === 'problem') return answers.fail(5000, found.text);
    const call =
      found?.kind === 'resource'
        ? this.#agent.readItem(found, { request })
        : this.#agent.call(given, this.#optionsOf(asked));
    const served = await call.reply;
    if (found || served.failure !== 'refused') return answers.end(served, asked.session);
    const uris = offer.resources.filter(({ kind }) => kind === 'resource').map(({ detail }) => detail);
    const known = ['tools', 'tool NAME', 'capabilities', ...uris];
    const what = query === undefined ? 'such data' : `data '${query}'`;
    return answers.fail(5000, `There is no ${what}; ask for one of: ${firstOf(known, MAX_NAMED)}`);
  }

  async #callTool(asked: Asked): Promise<void> {
    const { message: given, request, answers } = asked;
    const fault = await findCurrentFault(given, this.#agent, request);
    return fault === undefined ? this.#call(asked, given) : answers.fail(2001, fault);
  }

  /** Passes the answer to what the agent asked on to it. */
  async #takeAnswer(asked: Asked): Promise<void> {
    const { message: given, session, answers } = asked;
    const { waits } = session;
    session.waits = undefined;
    if (!waits) return answers.fail(1000, 'This agent waits for nothing in this session; send a request');
    return this.#call(
      asked,
      waits === 'result' ? given : message('task', { task: textValue(wordsOf(given)) }),
    );
  }

  async #call(asked: Asked, given: Message): Promise<void> {
    const { answers, session } = asked;
    const call: ServedCall = this.#agent.call(given, this.#optionsOf(asked));
    return answers.end(await call.reply, session);
  }

  #optionsOf({ request, session, answers }: Asked): Parameters<ServedAgent['call']>[1] {
    return {
      request,
      session: session.name,
      take: chunks => answers.take(chunks),
      step: () => answers.note('LightAICL cannot report the progress of a call'),
      drained: () => answers.drained(),
    };
  }
}

/** The maximum number of names of data that an error lists. */
const MAX_NAMED = 20;

/** Selects the version that this server writes. */
function negotiate({ fields }: Message, answers: AnswerWriter): void {
  const offered = fields.supported?.kind === 'list' ? fields.supported.items.map(textIn) : [];
  const selected = AICL_VERSIONS.find(version => offered.includes(version));
  if (selected === undefined)
    return answers.fail(1000, `This agent speaks ${AICL_VERSIONS.join(', ')} alone; offer it in 'supported'`);
  return answers.send(
    message('negotiate', {
      supported: listValue(AICL_VERSIONS.map(textValue)),
      selected: textValue(selected),
    }),
  );
}

/** An answer as words, for an agent that asked in words. */
function wordsOf({ kind, fields }: Message): string {
  if (kind === 'error')
    return [fields.text, fields.data].map(textIn).filter(Boolean).join(': ') || 'I cannot answer';
  const value = fields.data ?? fields.content;
  return textIn(value) ?? (value ? compactJson(value, 'written') : '');
}
